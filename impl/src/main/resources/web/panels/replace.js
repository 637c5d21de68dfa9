/** Puts new children into a place, unless they look just like the old ones: those may have the focus. */
export function replace(place, children) {
  const fresh = document.createElement('div');
  fresh.append(...children.flat(Infinity).filter((child) => child));
  if (place.innerHTML !== fresh.innerHTML) {
    place.replaceChildren(...fresh.childNodes);
  }
}
