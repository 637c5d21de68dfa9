/** The alarms of the fabric, each with what to do. */
import { element, button } from './dom.js';
import { nameOf, severityText } from '../fabric/alarms.js';
import { clock } from '../fabric/words.js';

const MAX_SHOWN = 30;

export function alarmList(alarms, model, actions) {
  return alarms.length > 0 && [
    element('h3', { text: 'Alarms' }),
    element('ul', { class: 'alarms' }, alarms.slice(0, MAX_SHOWN).map((each) => row(each, model, actions)),
      alarms.length > MAX_SHOWN && element('li', { text: `and ${alarms.length - MAX_SHOWN} more` })),
  ];
}

function row(alarm, model, actions) {
  const name = nameOf(alarm.resource, model.name);
  const drawn = alarm.part && (alarm.part.kind === 'switch' ? model.switches : model.links).has(alarm.part.id);
  const marks = [alarm.state !== 'none' && alarm.state, alarm.shelved && 'shelved'].filter(Boolean).join(', ');
  return element('li', { title: alarm.advice },
    element('span', { class: `badge severity ${alarm.severity}`, text: severityText(alarm.severity) }), ' ',
    drawn ? button(name, () => actions.choose(alarm.part), { class: 'link-button' }) : name,
    ` ${alarm.type}: ${alarm.text} (since ${clock(alarm.since)}${marks && `, ${marks}`})`,
    element('div', { class: 'quiet', text: alarm.advice }));
}
