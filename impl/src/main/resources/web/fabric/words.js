/** Texts for states, numbers and times. Pure. */

/** A sign and a word for each state; the sign repeats what colour and dash tell. */
const STATES = {
  up: ['', 'up'],
  down: ['✕', 'down'],
  drained: ['‖', 'drained'],
  miscabled: ['≠', 'miscabled'],
  'held-back': ['…', 'up, held back'],
  away: ['✕', 'not connected'],
  faulty: ['!', 'has an error'],
  unknown: ['', 'not known yet'],
};
const WORST = ['miscabled', 'down', 'away', 'faulty', 'held-back', 'drained', 'unknown', 'up'];

export function sign(state) {
  return STATES[state]?.[0] ?? '';
}

export function stateWord(state) {
  return STATES[state]?.[1] ?? state;
}

/** The worst of several states: a bundle of links is shown in it. */
export function worst(states) {
  return WORST.find((state) => states.includes(state)) ?? 'unknown';
}

export function gbps(value) {
  return value === undefined ? '–' : `${Number(Number(value).toFixed(1))} Gbps`;
}

export function percent(value) {
  return value === undefined ? '–' : `${Math.round(Number(value) * 100)} %`;
}

/** What a direction of a link has lost and loses; undefined while that is not known. */
export function losses(traffic) {
  const lost = traffic?.['lost-packets'];
  if (lost === undefined) {
    return undefined;
  }
  const rate = lossRate(traffic);
  return `${lost} ${Number(lost) === 1 ? 'packet' : 'packets'}${rate ? `; about ${rate} are lost at present` : ''}`;
}

/** The part of the packets that a direction of a link loses at present; undefined if it loses none, or that is not known. */
export function lossRate(traffic) {
  const rate = traffic?.['loss-rate'] ?? 0;
  return rate > 0 ? `${rate / 10_000} %` : undefined;
}

export function milliseconds(value) {
  return value === undefined ? 'not confirmed yet' : `${Number(Number(value).toFixed(Number(value) < 10 ? 1 : 0))} ms`;
}

export function count(number, noun, plural = `${noun}s`) {
  return `${number} ${number === 1 ? noun : plural}`;
}

export function age(seconds) {
  if (seconds < 90) {
    return `${Math.round(seconds)} s`;
  }
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** Local time of day of a date-and-time. */
export function clock(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleTimeString('en-GB');
}

export function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const ROLES = { spine: 'spine', leaf: 'leaf', ros: 'ROS', 'hlt-rack': 'HLT rack', builder: 'ROS and HLT rack', hosts: 'other hosts', spare: 'spare' };
