/** Replaces the children of an element, unless the new ones have the same markup: an old one may have the focus. */
export function replace(parent, children) {
  const fresh = document.createElement('div');
  fresh.append(...children.flat(Infinity).filter((child) => child));
  if (parent.innerHTML !== fresh.innerHTML) {
    parent.replaceChildren(...fresh.childNodes);
  }
}
