/** The fabric as tables of switches, links and DCMs beside the drawing, with a filter; a heading sorts by its column. */
import { element, button } from './dom.js';
import { replace } from './replace.js';
import { cellText, filtered, LISTS, sorted } from '../fabric/lists.js';

const ROWS_MORE = 100;

/**
 * @param chooser where the buttons go that choose between the drawing and the tables
 * @param drawn the element that is hidden while a table is shown
 */
export function lists(chooser, drawn, parent, { choose, changed }) {
  const order = Object.fromEntries(Object.keys(LISTS).map((name) => [name, { column: 0, descending: false }]));
  let name = null;
  let view = null;
  let most = ROWS_MORE;
  const shows = [[null, 'Drawing'], ...Object.entries(LISTS).map(([each, { title }]) => [each, title])].map(([each, title]) => ({
    name: each, button: button(title, () => open(each), { 'aria-pressed': each === null ? 'true' : 'false' }),
  }));
  chooser.append(...shows.map((each) => each.button));

  const text = element('input', { id: 'filter', type: 'search', autocomplete: 'off', spellcheck: 'false', oninput: restart });
  const care = element('input', { id: 'only-care', type: 'checkbox', onchange: restart });
  const found = element('output', { for: 'filter only-care', class: 'quiet' });
  const place = element('div', { class: 'rows', tabindex: 0, role: 'region' });
  parent.append(element('form', { onsubmit: (event) => event.preventDefault() },
    element('label', { for: 'filter', text: 'Filter' }), text, element('label', {}, care, ' only what needs care'), found), place);

  function open(chosen) {
    name = chosen;
    shows.forEach((each) => each.button.setAttribute('aria-pressed', String(each.name === chosen)));
    drawn.hidden = chosen !== null;
    parent.hidden = chosen === null;
    changed();
    restart();
  }

  function restart() {
    most = ROWS_MORE;
    place.scrollTop = 0;
    draw();
  }

  function sort(column) {
    order[name] = { column, descending: order[name].column === column && !order[name].descending };
    restart();
  }

  function draw() {
    if (!name || !view?.model) {
      return;
    }
    const list = LISTS[name];
    const all = list.rows(view);
    const rows = sorted(filtered(list, all, { text: text.value, onlyCare: care.checked }), order[name].column, order[name].descending);
    const counted = `${rows.length} of ${all.length} ${list.title === 'DCMs' ? list.title : list.title.toLowerCase()}`;
    if (found.textContent !== counted) {
      found.textContent = counted;
    }
    place.setAttribute('aria-label', list.title);
    replace(place, [
      element('table', { class: `list ${name}` },
        element('caption', { class: 'only-read', text: `${list.title} of fabric ${view.model.name}` }),
        element('thead', {}, element('tr', {}, list.columns.map((title, at) => heading(title, at)))),
        element('tbody', {}, rows.slice(0, most).map((row) => line(list, row)))),
      rows.length > most && button(`Show ${Math.min(ROWS_MORE, rows.length - most)} more of ${rows.length - most}`, () => { most += ROWS_MORE; draw(); }, { class: 'more' }),
    ]);
  }

  function heading(title, at) {
    const { column, descending } = order[name];
    const direction = descending ? 'descending' : 'ascending';
    return element('th', { scope: 'col', 'aria-sort': at === column && direction },
      button(title, () => sort(at), { class: 'sort' }),
      at === column && element('span', { 'aria-hidden': 'true', text: descending ? ' ▼' : ' ▲' }));
  }

  /** The first cell heads its row, and selects what is in it. */
  function line(list, row) {
    const selected = view.selected?.kind === row.kind && view.selected.id === row.id;
    return element('tr', { class: selected && 'selected', 'aria-current': selected && 'true' },
      element('th', { scope: 'row' }, button(row.id, () => choose({ kind: row.kind, id: row.id }), { class: 'link-button' })),
      row.cells.slice(1).map((cell, at) => element('td', { text: cellText(list, at + 1, cell) })));
  }

  return {
    show(latest) {
      view = latest;
      draw();
    },
  };
}
