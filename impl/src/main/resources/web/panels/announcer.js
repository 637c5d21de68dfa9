/** Says what has changed, in two regions that screen readers read out: one interrupts, the other waits. */
import { element } from './dom.js';
import { news } from '../fabric/news.js';

/** Changes within that time are said together. */
const TOGETHER_MILLIS = 1000;

export function announcer(urgent, calm) {
  let before = null;
  let latest = null;
  let timer = 0;

  function say() {
    timer = 0;
    const said = news(before, latest);
    before = latest;
    put(urgent, said.urgent);
    put(calm, said.calm);
  }

  return {
    show({ snapshot, model }) {
      latest = { snapshot, model };
      if (before) {
        timer ||= setTimeout(say, TOGETHER_MILLIS);
      } else {
        before = latest; // is read like any page
      }
    },
    /** Says something about what the user does. */
    tell: (text) => put(calm, [text]),
  };
}

/** New elements: the same text again is then read out again. */
function put(region, sentences) {
  if (sentences.length) {
    region.replaceChildren(...sentences.map((text) => element('p', { text })));
  }
}
