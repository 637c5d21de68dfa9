/** Asks for confirmation in a dialog; resolves to true or false. Escape and Cancel mean false. */
import { element, button } from './dom.js';

export function confirmed(question, consequences, verb) {
  return new Promise((resolve) => {
    const dialog = element('dialog', { 'aria-labelledby': 'question' },
      element('h2', { id: 'question', text: question }),
      element('p', { text: consequences }),
      element('p', { class: 'choices' },
        button('Cancel', () => dialog.close('no'), { autofocus: true }),
        button(verb, () => dialog.close('yes'), { class: 'primary', id: 'confirm' })));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
