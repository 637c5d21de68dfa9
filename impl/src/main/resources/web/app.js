/** The page: joins what the controller tells, what the user has chosen, and what is shown of both. */
import { buildModel } from './fabric/model.js';
import { linkLoads } from './fabric/load.js';
import { layout, openAtFirst } from './drawing/layout.js';
import { route } from './drawing/route.js';
import { watch } from './controller/watch.js';
import { drawer } from './drawing/drawer.js';
import { showStatus, showBanner } from './panels/status.js';
import { finder } from './panels/find.js';
import { legend } from './panels/legend.js';
import { panel } from './panels/panel.js';
import { timeline } from './panels/timeline.js';

const LEAST_WIDTH = 560;
const byId = (id) => document.getElementById(id);

const view = { snapshot: null, model: null, loads: null, open: null, selected: null, hops: null, preview: null, drawing: null };
let ofFabric = null;

const draw = drawer(byId('drawing'), { choose, toggle, leave: () => choose(null) });
const aside = panel(byId('panel'), {
  choose,
  showWay: (hops) => { view.hops = hops; render(); },
  showPreview: (preview) => { view.preview = preview; render(); },
  refresh: () => keeper.refresh(),
});
const find = finder(byId('find'), choose);
const happened = timeline(byId('timeline'), choose);
legend(byId('legend'));

const keeper = watch(new URLSearchParams(location.search).get('fabric') ?? undefined, (snapshot) => {
  view.snapshot = snapshot;
  render();
});

function choose(selected) {
  const before = view.selected;
  Object.assign(view, { selected, hops: null, preview: null });
  aside.choose(view);
  render();
  if (!selected && before) {
    draw.focus(before.kind, before.id);
  }
}

/** What the drawing may take without scrolling. */
function room() {
  const place = byId('fabric');
  const used = byId('legend').offsetHeight + 14;
  return { width: Math.max(LEAST_WIDTH, place.clientWidth - 10), height: place.clientHeight - used };
}

function toggle(pod) {
  view.open[view.open.has(pod) ? 'delete' : 'add'](pod);
  render();
}

function chooseFabric(name) {
  history.replaceState(null, '', `?fabric=${encodeURIComponent(name)}`);
  choose(null);
  keeper.choose(name);
}

function render() {
  const { snapshot } = view;
  if (snapshot.config) {
    view.model = buildModel(snapshot.config, snapshot.state);
    view.loads = linkLoads(view.model);
    if (ofFabric !== snapshot.config.name) {
      ofFabric = snapshot.config.name;
      view.open = openAtFirst(view.model);
      find.offer(view.model);
    }
    view.drawing = layout(view.model, view.open, room());
    const way = view.hops && { ...route(view.model, view.drawing, view.hops.hop ?? []), arrives: view.hops.arrives };
    draw.show({ ...view, way });
  } else {
    view.model = null;
  }
  document.body.classList.toggle('empty', !view.model);
  showStatus(byId('status'), view, chooseFabric);
  aside.show(view);
  happened.show(snapshot);
  told();
}

/** What grows old by itself. */
function told() {
  if (view.snapshot) {
    showBanner(byId('banner'), view.snapshot);
  }
}

setInterval(told, 1000);
window.addEventListener('resize', () => view.snapshot && render());
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.closest('input, dialog')) {
    event.preventDefault();
    find.focus();
  } else if (event.key === 'Escape' && view.selected && !event.target.closest('dialog, #drawing')) {
    choose(null);
  }
});
