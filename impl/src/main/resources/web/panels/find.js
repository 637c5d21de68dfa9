/** Search for a switch, link, ROS or DCM by name. */
import { element } from './dom.js';

export function finder(form, choose) {
  const names = element('datalist', { id: 'names' });
  const refusal = element('output', { class: 'refused', for: 'name', role: 'alert' });
  const input = element('input', {
    id: 'name', type: 'search', list: 'names', autocomplete: 'off', spellcheck: 'false',
    placeholder: 'Find switch, link, ROS, DCM: /', 'aria-label': 'Name of a switch, link, ROS or DCM',
  });
  let targets = new Map();
  form.append(input, names, refusal);
  input.addEventListener('input', () => { refusal.textContent = ''; });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const name = input.value.trim();
    const found = targets.get(name);
    refusal.textContent = found || !name ? '' : `No switch, link, ROS or DCM is named “${name}” here: names are as in the fabric's configuration.`;
    if (found) {
      input.value = '';
      choose(found);
    }
  });
  return {
    focus: () => input.focus(),
    offer(model) {
      targets = new Map([
        ...[...model.links.keys()].map((id) => [id, { kind: 'link', id }]),
        ...[...model.switches.keys()].map((id) => [id, { kind: 'switch', id }]),
        ...[...model.ros.values()].map((ros) => [ros.name, { kind: 'switch', id: ros.switch }]),
        ...[...model.dcms.keys()].map((id) => [id, { kind: 'dcm', id }]),
      ]);
      names.replaceChildren(...[...targets.keys()].map((name) => element('option', { value: name })));
    },
  };
}
