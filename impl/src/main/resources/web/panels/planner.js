/** The effect of a failure of the selected switch or link; and draining or undraining it: plan, confirm, write. */
import { element, button } from './dom.js';
import { call, patch, tag } from '../controller/restconf.js';
import { details, dcmsOfSpinesAfter, summary } from './planned.js';
import { confirmed } from './confirm.js';

/**
 * @param selected {kind, id} of a switch or link
 * @param latest returns the newest view
 */
export function planner(selected, latest, actions) {
  const name = `${selected.kind} ${selected.id}`;
  const failure = element('div', { class: 'result failure', 'aria-live': 'polite' });
  const change = element('div', { class: 'result change', 'aria-live': 'polite' });
  const fabric = latest().model.name;
  const path = `daqfabric:fabrics/fabric=${encodeURIComponent(fabric)}`;
  const target = rpcTarget(selected, latest().model);
  const heading = element('h3');
  const planButton = button('', () => planChange(), { id: 'plan-change' });
  let drained = false;
  const setDrained = (now) => {
    drained = now;
    heading.textContent = drained ? 'Back into service' : 'Maintenance';
    planButton.textContent = drained ? 'Plan taking it back' : 'Plan draining it';
  };
  const isDrained = () => latest().model[selected.kind === 'link' ? 'links' : 'switches'].get(selected.id)?.admin === 'drained';

  const plan = async (action, output, first = async () => {}) => {
    output.replaceChildren(element('p', { class: 'quiet', text: 'Calculating…' }));
    try {
      await first();
      const answer = await call('daqfabric-operations:plan', { fabric, [`${action}-${selected.kind}`]: [target] });
      output.replaceChildren(element('p', { class: 'summary', text: summary(answer) }), ...details(answer).filter((each) => each));
      actions.showPreview({ of: action, levels: dcmsOfSpinesAfter(latest().model, answer) });
      return answer;
    } catch (error) {
      output.replaceChildren(element('p', { class: 'refused', role: 'alert', text: error.message }));
      return null;
    }
  };

  const planChange = async () => {
    setDrained(isDrained());
    const { generation } = latest().snapshot.state;
    let seen = null;
    const answer = await plan(drained ? 'undrain' : 'drain', change, async () => {
      seen = await tag(path); // before it is planned: a change of somebody else is then later
    });
    if (answer) {
      change.append(button(`${drained ? 'Take' : 'Drain'} ${name}${drained ? ' into service' : ''}…`,
        () => carryOut(answer, generation, seen), { class: 'primary', id: 'carry-out' }));
    }
  };

  const carryOut = async (answer, generation, seen) => {
    if (latest().snapshot.state.generation !== generation) {
      change.replaceChildren(element('p', { class: 'refused', role: 'alert', text: 'The fabric has changed since this was planned: plan again.' }));
      return;
    }
    const question = drained ? `Take ${name} into service?` : `Drain ${name}?`;
    if (!await confirmed(question, summary(answer), drained ? 'Take into service' : 'Drain')) {
      return;
    }
    try {
      await patch(path, { 'daqfabric:fabric': [{ name: fabric, [selected.kind]: [{ ...listEntry(target, selected), 'admin-state': drained ? 'in-service' : 'drained' }] }] }, seen);
      change.replaceChildren(element('p', { class: 'done', role: 'status', text: drained ? `${name} is in service again.` : `${name} is being drained: its DCMs move, then it carries nothing.` }));
      setDrained(!drained);
      actions.showPreview(null);
      actions.refresh();
    } catch (error) {
      change.replaceChildren(element('p', { class: 'refused', role: 'alert', text: `Not changed: ${error.message}` }));
    }
  };

  setDrained(isDrained());
  plan('fail', failure);
  // the preview that appears by itself comes last: a button must not move away under the pointer
  return element('div', {}, heading, element('p', {}, planButton), change, element('h3', { text: 'If it failed' }), failure);
}

function rpcTarget(selected, model) {
  if (selected.kind === 'switch') {
    return selected.id;
  }
  const link = model.links.get(selected.id);
  return { switch: link.switch, port: link.port };
}

function listEntry(target, selected) {
  return selected.kind === 'switch' ? { name: target } : target;
}
