/** The paths from a ROS to a DCM and back by the rules of the switches, now and after a failure on them. */
import { element, table } from './dom.js';
import { call } from '../controller/restconf.js';

const STAGES = { now: 'now', switched: 'at once after the failure', repaired: 'after the repair' };

/** @param ends {ros} or {dcm}: the selected end; the user enters the other */
export function tracer(ends, latest, actions) {
  const { model } = latest();
  const kind = ends.ros === undefined ? 'ros' : 'dcm';
  const others = kind === 'ros' ? model.ros : model.dcms;
  const noun = kind === 'ros' ? 'ROS' : 'DCM';
  const input = element('input', { id: 'other-end', list: 'other-ends', value: inOtherPod(model, ends, others), autocomplete: 'off', spellcheck: 'false' });
  const result = element('div', { class: 'result trace', 'aria-live': 'polite' });
  const show = async (failure = {}) => {
    const other = input.value.trim();
    if (!others.has(other)) {
      result.replaceChildren(element('p', { class: 'refused', role: 'alert', text: `No ${noun} is named “${other}” in this fabric.` }));
      actions.showTrace(null);
      return;
    }
    const asked = { fabric: model.name, ros: ends.ros ?? other, dcm: ends.dcm ?? other, ...failure };
    try {
      const answer = await call('daqfabric-operations:trace', asked);
      sortHops(answer);
      result.replaceChildren(traceView(asked, answer, latest().model, { show, showTrace: actions.showTrace }));
    } catch (error) {
      result.replaceChildren(element('p', { class: 'refused', role: 'alert', text: error.message }));
      actions.showTrace(null);
    }
  };
  show();
  return element('div', { class: 'tracer' },
    element('h3', { text: kind === 'ros' ? 'Path of its fragments' : 'Path of fragments' }),
    element('form', { onsubmit: (event) => { event.preventDefault(); show(); } },
      element('label', { for: 'other-end', text: kind === 'ros' ? 'from ROS ' : 'to DCM ' }), input,
      element('datalist', { id: 'other-ends' }, [...others.keys()].map((name) => element('option', { value: name }))),
      element('button', { type: 'submit', text: 'Show' })),
    result);
}

/** RESTCONF returns lists in any order. */
function sortHops(answer) {
  for (const stage of Object.keys(STAGES)) {
    for (const to of ['to-dcm', 'to-ros']) {
      answer[stage]?.[to]?.hop?.sort((a, b) => a.index - b.index);
    }
  }
}

/** A host in another pod if there is one: the path then crosses a spine. */
function inOtherPod(model, ends, others) {
  const pod = ends.ros === undefined ? model.dcms.get(ends.dcm)?.pod : model.ros.get(ends.ros)?.pod;
  const all = [...others.values()];
  return (all.find((each) => each.pod !== pod) ?? all[0])?.name ?? '';
}

function traceView(asked, answer, model, { show, showTrace }) {
  const stages = Object.keys(STAGES).filter((stage) => answer[stage]);
  const chosen = { stage: stages.includes('repaired') ? 'repaired' : 'now', to: 'to-dcm' };
  const hops = element('div');
  const draw = () => {
    const direction = answer[chosen.stage]?.[chosen.to] ?? { arrives: false, problem: 'there is no path' };
    hops.replaceChildren(...hopTable(direction));
    showTrace(direction);
  };
  const options = (name, entries) => element('p', { class: 'options' }, entries.map(([value, text]) => element('label', {},
    element('input', { type: 'radio', name, value, checked: chosen[name] === value, onchange: () => { chosen[name] = value; draw(); } }), text, ' ')));
  draw();
  return element('div', {},
    options('to', [['to-dcm', `to ${asked.dcm}`], ['to-ros', `back to ${asked.ros}`]]),
    stages.length > 1 && options('stage', stages.map((stage) => [stage, STAGES[stage]])),
    hops,
    failureChooser(asked, answer, model, show));
}

function hopTable(direction) {
  const hops = direction.hop ?? [];
  return [
    element('p', { class: direction.arrives ? 'summary' : 'refused', text: direction.arrives ? `✓ Arrives; ${new Set(hops.map((hop) => hop.switch)).size} switches.` : `✕ Does not arrive: ${direction.problem ?? 'no reason given'}` }),
    hops.length > 0 && table('Switches on the path', ['Switch', 'In', 'Out', 'By'], hops.map((hop) => [
      hop.switch, hop['in-port'], hop['out-port'],
      element('span', { title: hop.rule }, [hop.group && `group ${hop.group}`, hop.daqring && `daqring ${hop.daqring}`].filter((each) => each).join(', ') || 'rule'),
    ])),
    hops.length > 0 && element('details', {}, element('summary', { text: 'Rules' }),
      element('ol', { class: 'rules' }, hops.map((hop) => element('li', {}, `${hop.switch}: `, element('code', { text: hop.rule ?? '' }))))),
  ].filter((each) => each);
}

/** A choice of the switches and links on the path, one of which fails. */
function failureChooser(asked, answer, model, show) {
  const hops = answer.now?.['to-dcm']?.hop ?? [];
  const ends = new Map([...model.links.values()].flatMap((link) => [link.lower, link.upper].map((end) => [`${end.switch}:${end.port}`, link])));
  const choices = [['', 'nothing', {}]];
  for (const hop of hops) {
    const link = ends.get(`${hop.switch}:${hop['out-port']}`);
    const role = model.switches.get(hop.switch)?.role;
    if ((role === 'spine' || role === 'leaf') && !choices.some(([id]) => id === hop.switch)) {
      choices.push([hop.switch, `switch ${hop.switch}`, { 'fail-switch': [hop.switch] }]);
    }
    if (link) {
      choices.push([link.id, `link ${link.id}`, { 'fail-link': [{ switch: link.switch, port: link.port }] }]);
    }
  }
  const failed = asked['fail-switch']?.[0] ?? (asked['fail-link'] ? `${asked['fail-link'][0].switch}:${asked['fail-link'][0].port}` : '');
  const select = element('select', { id: 'fail', onchange: (event) => show(choices.find(([id]) => id === event.target.value)[2]) },
    choices.map(([id, text]) => element('option', { value: id, selected: id === failed, text })));
  return element('p', {}, element('label', { for: 'fail', text: 'and if this failed: ' }), select);
}
