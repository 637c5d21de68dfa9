/**
 * Replaces the children of an element and keeps those that stay the same, so that the focus, the selection and what is
 * scrolled stay where they are. Elements that look the same must do the same when they are clicked.
 */
export function replace(parent, children) {
  const fresh = document.createElement('div');
  fresh.append(...children.flat(Infinity).filter((child) => child));
  keepOpen(parent, fresh);
  const focused = parent.contains(document.activeElement);
  merge(parent, fresh);
  if (focused && !parent.contains(document.activeElement)) {
    parent.closest('[tabindex]')?.focus({ preventScroll: true });
  }
}

/** What the user has opened or closed stays so: the only details of a class. */
function keepOpen(parent, fresh) {
  for (const details of fresh.querySelectorAll('details[class]')) {
    const old = parent.querySelector(`details[class="${details.className}"]`);
    if (old) {
      details.open = old.open;
    }
  }
}

function merge(parent, fresh) {
  const [was, now] = [[...parent.childNodes], [...fresh.childNodes]];
  const least = Math.min(was.length, now.length);
  let head = 0;
  while (head < least && was[head].isEqualNode(now[head])) {
    head += 1;
  }
  let tail = 0;
  while (tail < least - head && was.at(-1 - tail).isEqualNode(now.at(-1 - tail))) {
    tail += 1;
  }
  const next = was[was.length - tail] ?? null;
  for (let at = head; at < Math.max(was.length, now.length) - tail; at += 1) {
    const [old, made] = [at < was.length - tail && was[at], at < now.length - tail && now[at]];
    if (old && made && isKept(old, made)) {
      copyAttributes(made, old);
      merge(old, made);
    } else if (old && made) {
      old.replaceWith(made);
    } else if (made) {
      parent.insertBefore(made, next);
    } else {
      old.remove();
    }
  }
}

/** Whether an element can become the other: those that do something themselves cannot. */
function isKept(old, made) {
  return old.nodeType === Node.ELEMENT_NODE && old.nodeName === made.nodeName && !old.matches('button, svg, option');
}

function copyAttributes(from, to) {
  [...to.attributes].filter(({ name }) => !from.hasAttribute(name)).forEach(({ name }) => to.removeAttribute(name));
  [...from.attributes].forEach(({ name, value }) => to.setAttribute(name, value));
}
