/**
 * Checks pages in a browser: node check.mjs TOOLS axe|lighthouse PAGES...
 *
 * TOOLS is the folder with node_modules. PAGES are addresses, or folders of pages: each page of these, for Lighthouse those
 * in SAMPLE. `axe` fails at a serious or critical violation, `lighthouse` at a score below 95. DAQ_AUTHORIZATION is sent as
 * the header of that name.
 */
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const SAMPLE = ['index.html', 'user-guide.html', 'rpcs.html'];
const CATEGORIES = ['accessibility', 'best-practices'];
const LEAST_SCORE = 0.95;
const FAILING = ['serious', 'critical'];
/** All that differs in dark colours. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
/** With a mouse: only then the documentation's theme lets what scrolls have the focus. */
const MOUSE = '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';
const FLAGS = [MOUSE, '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];
const TYPES = {
  '.css': 'text/css', '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.json': 'application/json', '.png': 'image/png', '.svg': 'image/svg+xml',
};

const [tools, kind, ...given] = process.argv.slice(2);
const resolve = (name) => createRequire(path.join(path.resolve(tools), 'package.json')).resolve(name);
const load = (name) => import(pathToFileURL(resolve(name)));

function serve(folder) {
  const server = http.createServer((request, answer) => {
    const file = path.join(folder, decodeURIComponent(new URL(request.url, 'http://host').pathname));
    fs.readFile(file, (error, content) => {
      answer.writeHead(error ? 404 : 200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
      answer.end(content);
    });
  });
  return new Promise((done) => { server.listen(0, '127.0.0.1', () => done(server)); });
}

/** A page in light or dark colours; in a context of its own, as pages remember them. */
async function openPage(browser, scheme) {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({ width: 1440, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  return { page, scheme, rules: scheme === 'dark' ? { runOnly: COLOURS } : {} };
}

async function checkByAxe({ page, scheme, rules }, url) {
  await page.goto(url);
  await page.evaluate(fs.readFileSync(resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate((options) => globalThis.axe.run(globalThis.document, options), { resultTypes: ['violations'], ...rules });
  return violations.map((each) => ({
    fails: FAILING.includes(each.impact),
    text: `${each.impact}, ${scheme}: ${each.help} (${each.id}), ${each.nodes.length} times:\n    ${each.nodes[0].html.slice(0, 200)}\n    ${each.nodes[0].failureSummary.replace(/\s+/g, ' ')}`,
  }));
}

async function checkByLighthouse(browser, url) {
  const { default: lighthouse, desktopConfig } = await load('lighthouse');
  const extraHeaders = process.env.DAQ_AUTHORIZATION ? { Authorization: process.env.DAQ_AUTHORIZATION } : undefined;
  const { lhr } = await lighthouse(url, { port: Number(new URL(browser.wsEndpoint()).port), logLevel: 'error', onlyCategories: CATEGORIES, extraHeaders }, desktopConfig);
  if (lhr.runtimeError) {
    return [{ fails: true, text: lhr.runtimeError.message }];
  }
  return CATEGORIES.map((name) => {
    const { score, auditRefs } = lhr.categories[name];
    const failed = auditRefs.map(({ id }) => lhr.audits[id]).filter((audit) => audit.score !== null && audit.score < 1);
    return {
      fails: score < LEAST_SCORE,
      text: [`${name}: ${Math.round(score * 100)}`, ...failed.map((audit) => `${audit.title}: ${JSON.stringify(audit.details?.items?.[0] ?? '').slice(0, 400)}`)].join('\n    '),
    };
  });
}

async function targets() {
  const urls = [];
  const servers = [];
  for (const each of given) {
    if (/^https?:/.test(each)) {
      urls.push(each);
    } else {
      const pages = fs.readdirSync(each, { recursive: true }).filter((file) => file.endsWith('.html')).sort();
      const server = await serve(each);
      servers.push(server);
      urls.push(...pages.filter((page) => kind === 'axe' || SAMPLE.includes(page)).map((page) => `http://127.0.0.1:${server.address().port}/${page}`));
    }
  }
  return { urls, servers };
}

const { default: puppeteer } = await load('puppeteer-core');
const { urls, servers } = await targets();
const browser = await puppeteer.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
const pages = kind === 'axe' ? [await openPage(browser, 'light'), await openPage(browser, 'dark')] : [];
let failed = 0;
try {
  for (const url of urls) {
    const found = kind === 'lighthouse' ? await checkByLighthouse(browser, url) : [];
    for (const page of pages) {
      found.push(...await checkByAxe(page, url));
    }
    failed += found.filter((each) => each.fails).length;
    const shown = found.filter((each) => each.fails || kind === 'lighthouse');
    if (shown.length) {
      process.stdout.write(`${url}\n${shown.map((each) => `  ${each.text}\n`).join('')}`);
    }
  }
} finally {
  await browser.close();
  servers.forEach((server) => server.close());
}
process.stdout.write(`${kind}: ${urls.length} pages, ${failed ? `${failed} findings` : 'nothing found'}\n`);
process.exitCode = failed || !urls.length ? 1 : 0;
