/** The details beside the drawing: facts, which follow the state, and below them work, which stays until something else is chosen. */
import { element, button } from './dom.js';
import { replace } from './replace.js';
import { overview } from './overview.js';
import { bundleFacts, dcmFacts, linkFacts, switchFacts } from './details.js';
import { planner } from './planner.js';
import { tracer } from './tracer.js';
import { worstFailures } from './worst.js';

const FACTS = { switch: switchFacts, link: linkFacts, dcm: dcmFacts, bundle: bundleFacts };

export function panel(place, actions) {
  const head = element('div', { class: 'head' });
  const facts = element('div', { class: 'facts-of' });
  const work = element('div', { class: 'work' });
  place.append(head, facts, work);
  let latest = null;
  let current = null;
  work.append(worstFailures(() => latest, actions));

  const close = () => button('✕', () => actions.choose(null), { class: 'close', 'aria-label': 'Close the details' });
  return {
    /** Something else is chosen: what the work on the thing before answers from now on is not shown. */
    choose(view) {
      latest = view;
      const mine = {};
      current = mine;
      const ifCurrent = (action) => (...values) => current === mine && action(...values);
      work.replaceChildren(...workOf(view, () => latest,
        { ...actions, showWay: ifCurrent(actions.showWay), showPreview: ifCurrent(actions.showPreview) }));
      place.scrollTop = 0;
    },
    show(view) {
      latest = view;
      if (!view.model) {
        replace(facts, []);
        replace(head, []);
        return;
      }
      const shown = (view.selected && FACTS[view.selected.kind](view, actions)) ?? overview(view, actions);
      replace(head, [element('h2', { text: shown.title }), view.selected && close()]);
      replace(facts, shown.content);
    },
  };
}

function workOf({ selected, model }, latest, actions) {
  if (!selected) {
    return [worstFailures(latest, actions)];
  }
  if (!model || selected.kind === 'bundle' || model.switches.get(selected.id)?.role === 'spare') {
    return [];
  }
  if (selected.kind === 'dcm') {
    return [tracer({ dcm: selected.id }, latest, actions)];
  }
  const ros = [...model.ros.values()].find((each) => each.switch === selected.id);
  return [...(selected.kind === 'switch' && ros ? [tracer({ ros: ros.name }, latest, actions)] : []), planner(selected, latest, actions)];
}
