/** Draws switches: spines as tanks filled to the number of their DCMs, leaves, edge switches or groups of them, and the DCMs of racks. */
import { count, percent, ROLES, sign, stateWord, worst } from '../fabric/words.js';

const NARROW_WIDTH = 28;

export function drawSwitches(layer, view) {
  const mostDcms = Math.max(1, ...[...view.model.switches.values()].map((node) => node.level ?? 0),
    ...(view.preview?.levels.values() ?? []));
  const nodes = layer.selectAll('g.switch').data(switchItems(view), (item) => item.key).join((enter) => {
    const group = enter.append('g').attr('role', 'button');
    group.append('rect').attr('class', 'body');
    group.append('rect').attr('class', 'water');
    group.append('path').attr('class', 'preview');
    appendTexts(group, ['name', 'level', 'sign']);
    group.append('title');
    return group;
  });
  nodes.attr('class', (item) => `item switch ${item.role} ${item.state}${item.width < NARROW_WIDTH ? ' narrow' : ''}`)
    .attr('data-id', (item) => item.id).attr('data-state', (item) => item.state).attr('aria-label', (item) => item.label);
  place(nodes.select('rect.body')).attr('rx', 4);
  nodes.select('title').text((item) => item.label);
  nodes.select('text.name').attr('x', (item) => item.left + item.labelWidth / 2).attr('y', (item) => (item.role === 'spine' ? item.top + 13 : item.y + 4)).text((item) => item.name);
  nodes.select('text.sign').attr('x', (item) => item.left + item.width - 2).attr('y', (item) => item.top + 5).text((item) => sign(item.state));
  drawWater(nodes, mostDcms);
  drawGroups(layer, view);
  drawChips(layer, view);
}

/** With spaces between them, as they are read: the label has the same words in this order. */
function appendTexts(group, names) {
  names.forEach((name) => {
    group.append('text').attr('class', name);
    group.append(() => document.createTextNode(' '));
  });
}

function drawWater(nodes, mostDcms) {
  const innerHeight = (item) => item.height - 18;
  const height = (item, level) => (item.role === 'spine' ? (innerHeight(item) * (level ?? 0)) / mostDcms : 0);
  nodes.select('rect.water').attr('x', (item) => item.left + 1).attr('width', (item) => Math.max(0, item.width - 2))
    .attr('y', (item) => item.top + item.height - 1 - height(item, item.level)).attr('height', (item) => height(item, item.level));
  nodes.select('text.level').attr('x', (item) => item.x).attr('y', (item) => item.top + item.height - 8)
    .text((item) => (item.role === 'spine' ? item.levelText : ''));
  nodes.select('path.preview').attr('d', (item) => {
    const y = item.top + item.height - 1 - height(item, item.after);
    return item.role === 'spine' && item.after !== undefined ? `M${item.left - 3},${y}h${item.width + 6}` : null;
  });
}

function switchItems({ model, drawing, preview }) {
  return [...drawing.nodes.values()].map((node) => {
    const entry = model.switches.get(node.name);
    const after = preview?.levels.get(node.name);
    const change = after === undefined ? 0 : after - entry.level;
    const levelText = change ? `${entry.level}${change > 0 ? '+' : '−'}${Math.abs(change)}` : `${entry.level}`;
    const name = shortName(entry, node);
    return {
      kind: 'switch', id: node.name, key: `switch ${node.name}`, role: node.role, state: entry.state, name,
      level: entry.level, after, levelText, label: labelOf(entry, name, levelText), ...frame(node),
    };
  });
}

function shortName(entry, node) {
  const whole = entry.host ?? entry.name;
  return whole.length * 7 <= node.width ? whole : (entry.spine !== undefined ? `s${entry.spine}` : '');
}

/** What is written in the drawing comes first. */
function labelOf(entry, name, levelText) {
  if (entry.role === 'spine') {
    const whole = name === entry.name ? 'spine' : `spine ${entry.name}`;
    return `${name} ${levelText} DCMs, ${whole}, ${stateWord(entry.state)}, load ${percent(entry.load)}`;
  }
  const what = `${ROLES[entry.role]} ${entry.host ?? entry.name}, ${stateWord(entry.state)}`;
  return entry.role === 'hlt-rack' || entry.role === 'builder' ? `${what}, ${count(entry.dcms.length, 'DCM')}` : what;
}

function drawGroups(layer, { model, drawing }) {
  const data = drawing.groups.map((group) => {
    const states = group.names.map((name) => model.switches.get(name).state);
    const bad = states.filter((state) => state !== 'up').length;
    const dcms = group.names.reduce((sum, name) => sum + model.switches.get(name).dcms.length, 0);
    const name = group.kind === 'ros' ? `${group.names.length} ROS` : count(group.names.length, 'rack');
    return {
      kind: 'pod', pod: group.pod, id: group.id, key: `group ${group.id}`, state: worst(states), name,
      more: group.kind === 'ros' ? '' : count(dcms, 'DCM'), bad: bad && sign(worst(states)) ? `${sign(worst(states))} ${bad} of ${states.length}` : '',
      label: `${name}${group.kind === 'ros' ? '' : `, ${count(dcms, 'DCM')}`}${bad ? `, ${bad} of ${states.length} not up` : ''}, pod ${group.pod}; opens the pod`,
      ...frame(group),
    };
  });
  const groups = layer.selectAll('g.group').data(data, (item) => item.key).join((enter) => {
    const group = enter.append('g').attr('role', 'button');
    group.append('rect').attr('class', 'back');
    group.append('rect').attr('class', 'body');
    appendTexts(group, ['name', 'more', 'bad']);
    group.append('title');
    return group;
  });
  groups.attr('class', (item) => `item group ${item.state}`).attr('aria-label', (item) => item.label).attr('data-state', (item) => item.state);
  place(groups.select('rect.back')).attr('rx', 4).attr('transform', 'translate(3,-3)');
  place(groups.select('rect.body')).attr('rx', 4);
  ['name', 'more', 'bad'].forEach((line, at) => groups.select(`text.${line}`)
    .attr('x', (item) => item.x).attr('y', (item) => item.y - 6 + at * 15).text((item) => item[line]));
  groups.select('title').text((item) => item.label);
}

function drawChips(layer, { model, drawing, selected }) {
  const spine = selected?.kind === 'switch' ? model.switches.get(selected.id) : undefined;
  const data = [...drawing.chips.values()].map((chip) => {
    const dcm = model.dcms.get(chip.name);
    const cut = dcm.reachable !== undefined && dcm.reachable < model.ros.size;
    return {
      kind: 'dcm', id: chip.name, key: `dcm ${chip.name}`, left: chip.x, top: chip.y, width: chip.size, height: chip.size,
      x: chip.x + chip.size / 2, y: chip.y + chip.size / 2, cut,
      ofSelectedSpine: spine?.role === 'spine' && dcm.plane === spine.plane && dcm.spine === spine.spine,
      label: `DCM ${chip.name}, ${dcm.plane === undefined ? 'no path' : `plane ${dcm.plane} spine ${dcm.spine ?? '–'}`}${cut ? `, reached by ${dcm.reachable} of ${model.ros.size} ROS` : ''}`,
    };
  });
  const chips = layer.selectAll('g.dcm').data(data, (item) => item.key).join((enter) => {
    const group = enter.append('g').attr('role', 'button');
    group.append('rect');
    group.append('path').attr('class', 'cross');
    group.append('title');
    return group;
  });
  chips.attr('class', (item) => `item dcm${item.cut ? ' cut' : ''}${item.ofSelectedSpine ? ' on' : ''}`)
    .attr('data-id', (item) => item.id).attr('aria-label', (item) => item.label);
  place(chips.select('rect')).attr('rx', 1.5);
  chips.select('path.cross').attr('d', (item) => (item.cut ? `M${item.left + 1.5},${item.top + 1.5}l${item.width - 3},${item.width - 3}m0,${3 - item.width}l${3 - item.width},${item.width - 3}` : null));
  chips.select('title').text((item) => item.label);
}

function frame(node) {
  return {
    left: node.x, top: node.y, width: node.width, height: node.height, labelWidth: node.labelWidth ?? node.width,
    x: node.x + node.width / 2, y: node.y + node.height / 2,
  };
}

function place(rects) {
  return rects.attr('x', (item) => item.left).attr('y', (item) => item.top)
    .attr('width', (item) => item.width).attr('height', (item) => item.height);
}
