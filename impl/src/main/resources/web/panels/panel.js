/**
 * The panel beside the drawing. Its upper part shows facts of the selection and follows the state; its lower part holds the
 * tools for it (tracer, planner, worst failures), which keep their results until the selection changes. The other modules of
 * this folder are its parts, or those of the page's head and foot: status, search, legend, timeline.
 */
import { element, button } from './dom.js';
import { replace } from './replace.js';
import { overview } from './overview.js';
import { bundleFacts, dcmFacts, linkFacts, switchFacts } from './details.js';
import { planner } from './planner.js';
import { tracer } from './tracer.js';
import { worstFailures } from './worst.js';

const FACTS = { switch: switchFacts, link: linkFacts, dcm: dcmFacts, bundle: bundleFacts };

export function panel(parent, actions) {
  const head = element('div', { class: 'head' });
  const facts = element('div', { class: 'facts-of' });
  const tools = element('div', { class: 'work' });
  parent.append(head, facts, tools);
  let latest = null;
  let current = null;
  tools.append(worstFailures(() => latest, actions));

  const close = () => button('✕', () => actions.choose(null), { class: 'close', 'aria-label': 'Close the details' });
  return {
    /** The selection has changed: late answers to tools of the former selection are ignored. */
    choose(view) {
      latest = view;
      const token = {};
      current = token;
      const ifCurrent = (action) => (...values) => current === token && action(...values);
      tools.replaceChildren(...toolsFor(view, () => latest,
        { ...actions, showTrace: ifCurrent(actions.showTrace), showPreview: ifCurrent(actions.showPreview) }));
      parent.scrollTop = 0;
    },
    /** Returns the title of what is shown. */
    show(view) {
      latest = view;
      if (!view.model) {
        replace(facts, []);
        replace(head, []);
        return undefined;
      }
      const shown = (view.selected && FACTS[view.selected.kind](view, actions)) ?? overview(view, actions);
      replace(head, [element('h2', { id: 'chosen', text: shown.title }), view.selected && close()]);
      replace(facts, shown.content);
      return shown.title;
    },
  };
}

function toolsFor({ selected, model }, latest, actions) {
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
