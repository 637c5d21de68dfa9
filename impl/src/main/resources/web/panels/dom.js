/** Creates elements from text, never from markup. */

/** `properties` are attributes, except `on...` for listeners and `text` for the text content. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) {
      made.addEventListener(name.slice(2), value);
    } else if (name === 'text') {
      made.textContent = value;
    } else if (value === true) {
      made.setAttribute(name, '');
    } else if (value !== undefined && value !== null && value !== false) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A list of terms and values; entries without a value are left out. */
export function facts(entries) {
  return element('dl', { class: 'facts' }, entries.filter((entry) => entry && entry[1] !== undefined && entry[1] !== '')
    .map(([term, value]) => [element('dt', { text: term }), element('dd', {}, value instanceof Node ? value : String(value))]));
}

export function button(text, onclick, properties = {}) {
  return element('button', { type: 'button', onclick, ...properties }, text);
}

/** A table with a caption, which is heard and not seen, and headings; a cell is a text or an element. */
export function table(caption, headings, rows) {
  return element('table', {},
    element('caption', { class: 'only-read', text: caption }),
    element('thead', {}, element('tr', {}, headings.map((heading) => element('th', { scope: 'col', text: heading })))),
    element('tbody', {}, rows.map((row) => element('tr', {}, row.map((cell) => element('td', {}, cell instanceof Node ? cell : String(cell ?? '')))))));
}
