/** Finding a switch, link, ROS or DCM by its name. */
import { element } from './dom.js';

export function finder(form, choose) {
  const names = element('datalist', { id: 'names' });
  const refused = element('output', { class: 'refused', for: 'name', role: 'alert' });
  const input = element('input', {
    id: 'name', type: 'search', list: 'names', autocomplete: 'off', spellcheck: 'false',
    placeholder: 'Find switch, link, ROS, DCM: /', 'aria-label': 'Name of a switch, link, ROS or DCM',
  });
  let known = new Map();
  form.append(input, names, refused);
  input.addEventListener('input', () => { refused.textContent = ''; });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const name = input.value.trim();
    const found = known.get(name);
    refused.textContent = found || !name ? '' : `No switch, link, ROS or DCM is named “${name}” here: names are as in the fabric's configuration.`;
    if (found) {
      input.value = '';
      choose(found);
      document.getElementById('panel').focus();
    }
  });
  return {
    focus: () => input.focus(),
    offer(model) {
      known = new Map([
        ...[...model.links.keys()].map((id) => [id, { kind: 'link', id }]),
        ...[...model.switches.keys()].map((id) => [id, { kind: 'switch', id }]),
        ...[...model.ros.values()].map((ros) => [ros.name, { kind: 'switch', id: ros.switch }]),
        ...[...model.dcms.keys()].map((id) => [id, { kind: 'dcm', id }]),
      ]);
      names.replaceChildren(...[...known.keys()].map((name) => element('option', { value: name })));
    },
  };
}
