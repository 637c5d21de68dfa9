/** The details beside the drawing: facts, which follow the state, and below them work, which stays until something else is chosen. */
import { element, button } from './dom.js';
import { replace } from './replace.js';
import { overview } from './overview.js';
import { bundleFacts, dcmFacts, linkFacts, switchFacts } from './details.js';
import { planner } from './planner.js';
import { tracer } from './tracer.js';

const FACTS = { switch: switchFacts, link: linkFacts, dcm: dcmFacts, bundle: bundleFacts };

export function panel(place, actions) {
  const head = element('div', { class: 'head' });
  const facts = element('div', { class: 'facts-of' });
  const work = element('div', { class: 'work' });
  place.append(head, facts, work);
  let latest = null;

  const close = () => button('✕', () => actions.choose(null), { class: 'close', 'aria-label': 'Close the details' });
  return {
    /** Something else is chosen. */
    choose(view) {
      latest = view;
      work.replaceChildren(...workOf(view, () => latest, actions));
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

function workOf({ selected, model, drawing }, latest, actions) {
  if (!selected || !model) {
    return [];
  }
  if (selected.kind === 'dcm') {
    return [tracer({ dcm: selected.id }, latest, actions)];
  }
  if (selected.kind === 'bundle') {
    return drawing.bundles.some((bundle) => bundle.id === selected.id) ? [] : [];
  }
  const ros = [...model.ros.values()].find((each) => each.switch === selected.id);
  return [
    selected.kind === 'switch' && ros ? tracer({ ros: ros.name }, latest, actions) : null,
    model.switches.get(selected.id)?.role === 'spare' ? null : planner(selected, latest, actions),
  ].filter((each) => each);
}
