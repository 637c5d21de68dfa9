/**
 * The page: one view, made from the controller's data and the user's selection, is drawn anew after every change of either.
 *
 * Data comes in through `controller/` (RESTCONF and its event stream); `fabric/` turns it into a model, pure; `drawing/`
 * lays the model out and draws it in SVG; `panels/` shows it in words, asks the rpcs and changes admin-states. Words are
 * those of docs/design.md; `docs/page.md` describes the page.
 */
import { buildModel } from './fabric/model.js';
import { linkLoads } from './fabric/load.js';
import { layout, podsOpenInitially } from './drawing/layout.js';
import { pathLine } from './drawing/path.js';
import { watch } from './controller/watch.js';
import { drawer } from './drawing/drawer.js';
import { showStatus, showBanner } from './panels/status.js';
import { finder } from './panels/find.js';
import { legend } from './panels/legend.js';
import { announcer } from './panels/announcer.js';
import { lists } from './panels/lists.js';
import { panel } from './panels/panel.js';
import { timeline } from './panels/timeline.js';

const LEAST_WIDTH = 560;
const byId = (id) => document.getElementById(id);

const view = { snapshot: null, model: null, loads: null, open: null, selected: null, trace: null, preview: null, drawing: null };
let shownFabric = null;
/** What had the focus when something was chosen outside the drawing: it gets the focus back. */
let opener = null;
let frame = 0;

const said = announcer(byId('urgent'), byId('calm'));
const draw = drawer(byId('drawing'), { choose, toggle, leave: () => choose(null) });
const tables = lists(byId('shows'), byId('drawn'), byId('lists'), { choose, changed: () => view.snapshot && render() });
const details = panel(byId('panel'), {
  choose,
  showTrace: (trace) => { view.trace = trace; render(); },
  showPreview: (preview) => { view.preview = preview; render(); },
  refresh: () => watcher.refresh(),
});
const search = finder(byId('find'), choose);
const history = timeline(byId('timeline'), choose);
legend(byId('legend'));

const watcher = watch(new URLSearchParams(location.search).get('fabric') ?? undefined, (snapshot) => {
  view.snapshot = snapshot;
  // events come in bursts: a lost switch is one for each of its links
  frame ||= requestAnimationFrame(render);
});

function choose(selected) {
  const previous = view.selected;
  const focused = document.activeElement;
  const inPanel = byId('panel').contains(focused);
  Object.assign(view, { selected, trace: null, preview: null });
  details.choose(view);
  const title = render();
  if (selected && byId('drawing').contains(focused)) {
    opener = null;
    said.tell(`Details of ${title}.`);
  } else if (selected) {
    opener = inPanel ? opener : focused;
    byId('panel').focus();
  } else if (previous) {
    giveFocusBack(previous);
  }
}

/** To what it was chosen with, or to it in the drawing, or to the panel. */
function giveFocusBack({ kind, id }) {
  opener?.focus();
  if (!opener || document.activeElement !== opener) {
    byId('panel').focus();
    draw.focus(kind, id);
  }
  opener = null;
}

/** The size the drawing can have without scrolling. */
function availableSize() {
  const { clientWidth, clientHeight } = byId('drawn');
  return { width: Math.max(LEAST_WIDTH, clientWidth - 10), height: clientHeight - byId('legend').offsetHeight - 14 };
}

function toggle(pod) {
  view.open[view.open.has(pod) ? 'delete' : 'add'](pod);
  render();
}

function chooseFabric(name) {
  window.history.replaceState(null, '', `?fabric=${encodeURIComponent(name)}`);
  choose(null);
  watcher.choose(name);
}

/** Draws everything anew; returns the title of the details. */
function render() {
  cancelAnimationFrame(frame);
  frame = 0;
  const { snapshot } = view;
  if (snapshot.config) {
    view.model = buildModel(snapshot.config, snapshot.state);
    view.loads = linkLoads(view.model);
    if (shownFabric !== snapshot.config.name) {
      shownFabric = snapshot.config.name;
      view.open = podsOpenInitially(view.model);
      search.offer(view.model);
    }
    view.drawing = layout(view.model, view.open, availableSize());
    if (!byId('drawn').hidden) {
      const path = view.trace && { ...pathLine(view.model, view.drawing, view.trace.hop ?? []), arrives: view.trace.arrives };
      draw.show({ ...view, path });
    }
  } else {
    view.model = null;
  }
  document.body.classList.toggle('empty', !view.model);
  showStatus(byId('status'), view, chooseFabric);
  tables.show(view);
  const title = details.show(view);
  history.show(snapshot);
  updateBanner();
  said.show(view);
  return title;
}

/** Also called every second: the age of the data is part of it. */
function updateBanner() {
  if (view.snapshot) {
    showBanner(byId('banner'), view.snapshot);
  }
}

setInterval(updateBanner, 1000);
window.addEventListener('resize', () => view.snapshot && render());
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.closest('input, dialog')) {
    event.preventDefault();
    search.focus();
  } else if (event.key === 'Escape' && view.selected && !event.target.closest('dialog, #drawing')) {
    choose(null);
  }
});
