/**
 * The fabric as tables: what the drawing shows, for those who cannot use it, and to filter and sort. Pure.
 *
 * A row is {kind, id, cells, care}: what it selects, a cell for each column, and whether it needs care. A cell is a text or
 * a number, which also is what it is sorted by; percentages are fractions until `words.js` writes them.
 */
import { gbps, percent, ROLES, sign, stateWord } from './words.js';

export const LISTS = {
  switches: {
    title: 'Switches', columns: ['Switch', 'Role', 'Pod', 'Plane', 'State', 'Links up', 'DCMs', 'Load'], rows: switchRows, format: { 7: percent },
  },
  links: {
    title: 'Links', columns: ['Link', 'Below', 'Above', 'State', 'Capacity', 'Load'], rows: linkRows, format: { 4: gbps, 5: percent },
  },
  dcms: {
    title: 'DCMs', columns: ['DCM', 'HLT rack', 'Pod', 'Plane', 'Spine', 'Reached by ROS', 'Moved'], rows: dcmRows, format: {},
  },
};

function switchRows({ model, loads }) {
  return [...model.switches.values()].map((node) => ({
    kind: 'switch',
    id: node.name,
    care: node.state !== 'up',
    cells: [
      node.name, `${ROLES[node.role]}${node.host && node.host !== node.name ? ` ${node.host}` : ''}`, node.pod, node.plane, stateText(node.state),
      `${node.links.filter((id) => model.links.get(id).state === 'up').length} of ${node.links.length}`,
      node.role === 'spine' ? node.level : node.dcms.length,
      node.role === 'spine' ? node.load : Math.max(0, ...node.links.map((id) => loads.get(id).relative)),
    ],
  }));
}

function linkRows({ model, loads }) {
  return [...model.links.values()].map((link) => ({
    kind: 'link',
    id: link.id,
    care: link.state !== 'up',
    cells: [link.id, link.lower.switch, link.upper.switch, stateText(link.state), link.capacity, loads.get(link.id).relative],
  }));
}

function dcmRows({ model }) {
  return [...model.dcms.values()].map((dcm) => ({
    kind: 'dcm',
    id: dcm.name,
    care: dcm.plane === undefined || (dcm.reachable ?? model.ros.size) < model.ros.size,
    cells: [dcm.name, dcm.switch, dcm.pod, dcm.plane ?? 'no path', dcm.spine, dcm.reachable, dcm.moves],
  }));
}

function stateText(state) {
  return `${sign(state)} ${stateWord(state)}`.trim();
}

/** The text of a cell. */
export function cellText(list, column, value) {
  return value === undefined ? '–' : String(list.format[column]?.(value) ?? value);
}

/** The rows in which each word of the text is part of a cell, in any case of letters. */
export function filtered(list, rows, { text, onlyCare }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => (row.care || !onlyCare)
    && words.every((word) => row.cells.some((cell, at) => cellText(list, at, cell).toLowerCase().includes(word))));
}

const ORDER = new Intl.Collator('en', { numeric: true });

/** The rows by a column, those that are equal there by name; unknown values come last. */
export function sorted(rows, column, descending) {
  const direction = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [a.cells[column], b.cells[column]];
    if (left === undefined || right === undefined) {
      return (left === undefined) - (right === undefined) || ORDER.compare(a.id, b.id);
    }
    return direction * compare(left, right) || ORDER.compare(a.id, b.id);
  });
}

function compare(left, right) {
  return typeof left === 'number' && typeof right === 'number' ? left - right : ORDER.compare(left, right);
}
