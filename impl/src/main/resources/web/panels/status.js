/** The head of the page: state of the fabric and of its runs, and whether the data shown is current. */
import { element } from './dom.js';
import { replace } from './replace.js';
import { severityText } from '../fabric/alarms.js';
import { age, clock, count, gbps, percent } from '../fabric/words.js';

const OLD_SECONDS = 15;
const PHASES = { converged: '✓', degraded: '!', programming: '↻', waiting: '…', unknown: '?' };
const HEALTH = { ok: '✓', degraded: '!', insufficient: '✕' };

export function showStatus(parent, { snapshot, model }, chooseFabric) {
  replace(parent, [
    chooser(snapshot, chooseFabric),
    model && element('span', { class: `badge phase ${model.phase}`, title: 'phase of the fabric' }, `${PHASES[model.phase] ?? ''} ${model.phase}`),
    model && bandwidth(model.capacity),
    alarmBadge(snapshot.alarms),
    ...(model ? snapshot.runs.map(partitionBadges) : []),
    model && !snapshot.runs.length && element('span', { class: 'quiet' }, 'no run prepared'),
    snapshot.active && element('span', { class: 'quiet', id: 'active', title: `the controller that runs the fabrics, at ${snapshot.active.address}` },
      snapshot.active.member),
    connectionBadge(snapshot),
  ]);
}

/** How many alarms are raised and not shelved, and the worst severity of them. */
function alarmBadge(alarms) {
  const told = alarms.filter((each) => !each.shelved);
  return told.length > 0 && element('span', { class: `badge severity ${told[0].severity}`, id: 'alarms', title: 'raised alarms, and the worst of them' },
    `${count(told.length, 'alarm')}: ${severityText(told[0].severity)}`);
}

function chooser(snapshot, chooseFabric) {
  if (snapshot.fabrics.length < 2) {
    return element('strong', { class: 'fabric' }, snapshot.name ?? '');
  }
  const select = element('select', { 'aria-label': 'Fabric', onchange: (event) => chooseFabric(event.target.value) },
    snapshot.fabrics.map((name) => element('option', { value: name, selected: name === snapshot.name, text: name })));
  return select;
}

function bandwidth(capacity) {
  if (capacity.bandwidth === undefined) {
    return null;
  }
  return element('span', { class: 'bandwidth', title: `bottleneck: ${capacity.bottleneck ?? 'none'}` },
    element('strong', {}, gbps(capacity.bandwidth)), ` of ${gbps(capacity['nominal-bandwidth'])} (${percent(capacity.utilisation)})`);
}

function partitionBadges(partition) {
  const number = partition.state === 'running' && partition.run ? ` ${partition.run['run-number']}` : '';
  const health = partition.state === 'idle' ? undefined : partition.health;
  return element('span', { class: 'run' },
    element('span', { class: `badge run-state ${partition.state}`, title: `run control, since ${clock(partition.since)}` }, `${partition.name}: ${partition.state}${number}`),
    health && element('span', { class: `badge health ${health}`, title: 'health of the fabric for this partition' }, `${HEALTH[health]} ${health}`));
}

function connectionBadge(snapshot) {
  const words = { connecting: '○ connecting', live: '● live', lost: '✕ controller lost' };
  return element('span', { class: `badge connection ${snapshot.connection}`, id: 'connection' }, words[snapshot.connection]);
}

/** Warnings about the data shown, in full sentences; empty if it is current. */
export function showBanner(parent, snapshot) {
  const seconds = (performance.now() - snapshot.readAt) / 1000;
  const old = snapshot.read > 0 && seconds > OLD_SECONDS;
  document.body.classList.toggle('old', old);
  document.body.classList.toggle('lost', snapshot.connection === 'lost');
  // not a live region: the age changes each second; announcer.js tells the loss once
  const lines = [];
  if (snapshot.connection === 'lost') {
    lines.push(`Lost the controller at ${clock(snapshot.since)}: ${snapshot.error}. Switches keep forwarding; repairs wait. Trying again every 2 seconds.`);
  }
  if (old) {
    lines.push(`What you see is ${age(seconds)} old, of ${clock(snapshot.read)}.`);
  }
  if (snapshot.connection === 'live' && snapshot.fabrics.length === 0) {
    lines.push('No fabric is configured. Describe one over RESTCONF: PUT /rests/data/daqfabric:fabrics/fabric=NAME.');
  }
  replace(parent, lines.map((text) => element('p', { text })));
}
