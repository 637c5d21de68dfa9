package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page in a browser at the size of Fig. 6.4 of the thesis: 1120 DCMs and 144 switches, which are simulated. */
@Tag("long") // draws 1120 DCMs beside a controller, simulated switches and a browser
@ExtendWith(SharedController.class)
class PageAtScaleIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final String LOGIN = "admin:admin";
    private static final String CUT = "p1l1:to-p1s1";
    private static final int UPDATES = 20;
    /** Blocks input so long that users notice; usual are some tens of milliseconds. */
    private static final int SECONDS_MILLIS = 2000;
    /** Before all scripts of the page: long tasks, when the drawing was complete, and answers of the controller. */
    private static final String WATCH = """
        window.longTasks = [];
        new PerformanceObserver(list => longTasks.push(...list.getEntries().map(each => Math.round(each.duration))))
          .observe({ type: 'longtask', buffered: true });
        window.answers = 0;
        const ask = window.fetch;
        window.fetch = (...request) => ask(...request).finally(() => { window.answers += 1; });
        const drawn = new MutationObserver(() => {
          if (document.querySelectorAll('#drawing .switch').length === 16) {
            window.drawnAfter = performance.now();
            drawn.disconnect();
          }
        });
        drawn.observe(document, { subtree: true, childList: true });
        """;

    private static SimulatedFabric fabric;
    private static Browser browser;
    private static String page;

    @BeforeAll
    static void bringUp(final Distribution controller) {
        browser = new Browser();
        browser.runFirst(WATCH);
        page = "127.0.0.1:" + controller.port("restconf") + "/daqfabric/";
        browser.open("http://" + LOGIN + "@" + page);
        browser.awaitText("#banner", "No fabric is configured");
        Accessibility.assertByAxe(browser, "no fabric");
        fabric = new SimulatedFabric(controller, BenchFabrics.of("fig64"), true, TIMEOUT);
        fabric.switches().start();
        fabric.put().awaitPhase("converged");
    }

    @AfterAll
    static void takeDown() {
        try {
            if (fabric != null) {
                fabric.close();
            }
        } finally {
            if (browser != null) {
                browser.close();
            }
        }
    }

    @BeforeEach
    void openPage() {
        browser.resize(1440, 900);
        browser.open("http://" + LOGIN + "@" + page);
        browser.awaitText("#connection", "live");
        browser.awaitText("#status .phase", "converged");
    }

    @AfterEach
    void saveScreenshot(final TestInfo test) {
        browser.screenshot(Distribution.projectRoot()
            .resolve("it/target/page/" + test.getTestMethod().orElseThrow().getName() + ".png"));
    }

    @Test
    void everythingIsDrawnAndInTables() {
        say("first full draw after %.0f ms", browser.value("drawnAfter").getAsDouble());
        Accessibility.assertByAxe(browser, "all is up");
        expandPods();
        assertThat(count("#drawing .switch")).isEqualTo(144);
        assertThat(count("#drawing .link")).isEqualTo(288);
        assertThat(count("#drawing .dcm")).isEqualTo(1120);
        Accessibility.assertByAxe(browser, "all pods are expanded");
        List.of("144 of 144 switches", "288 of 288 links", "1120 of 1120 DCMs").forEach(each -> {
            show(each.replaceAll(".* ", ""));
            browser.awaitText("#lists output", each);
            assertThat(count(".rows tbody tr")).isEqualTo(100);
        });
        browser.click(".rows .more");
        assertThat(count(".rows tbody tr")).isEqualTo(200);
        Accessibility.assertByAxe(browser, "a table");
        assertNoLongTask();
    }

    @Test
    void tablesAreFilteredSortedAndChosenFromByKeyboard() {
        browser.tabTo("document.activeElement.textContent == 'DCMs'");
        browser.type(Browser.ENTER);
        browser.tabTo("document.activeElement.id == 'filter'");
        browser.type("h2-3 1");
        browser.awaitText("#lists output", "40 of 1120 DCMs");
        browser.tabTo("document.activeElement.matches('.sort') && document.activeElement.textContent == 'DCM'");
        browser.type(Browser.ENTER);
        assertThat(browser.text("th[aria-sort=descending]")).startsWith("DCM");
        browser.tabTo("document.activeElement.closest('tbody')");
        assertThat(browser.value("document.activeElement.textContent").getAsString()).isEqualTo("h2-3d40");
        browser.type(Browser.ENTER);
        browser.awaitText("#panel h2", "DCM h2-3d40");
        browser.awaitText("#panel .trace .summary", "Arrives; 5 switches");
        assertThat(browser.value("document.activeElement.id").getAsString()).isEqualTo("panel");
        Accessibility.assertByAxe(browser, "a DCM is chosen");
        browser.type(Browser.ESCAPE);
        browser.awaitText("#panel h2", "Fabric");
        assertThat(browser.value("document.activeElement.textContent").getAsString()).isEqualTo("h2-3d40");
    }

    /** It is seen in the drawing and in the table of links, and heard. */
    @Test
    void cutIsSeenAndHeard() {
        fabric.switches().cut(List.of(CUT));
        try {
            browser.awaitThat("document.querySelector(\".link[data-id='" + CUT + "']\").dataset.state == 'down'");
            browser.awaitText("#panel .alarms", CUT);
            browser.awaitText("#status .severity", "alarm");
            browser.awaitText("#urgent", "ajor");
            Accessibility.assertByAxe(browser, "a link is cut");
            show("links");
            browser.click("#only-care");
            browser.awaitText("#lists output", "1 of 288 links");
            browser.awaitText(".rows tbody", "✕ down");
        } finally {
            fabric.switches().restore(List.of(CUT));
        }
        browser.awaitText("#lists output", "0 of 288 links");
        browser.awaitText("#calm", "cleared");
        fabric.awaitPhase("converged");
    }

    /** Every control has a Tab stop, or is reached by arrows as the items of the drawing are; and the focus is seen. */
    @Test
    void everyControlIsReachedByTabAndTheFocusIsSeen() {
        // no focus is shown in a window that is not the active one
        browser.awaitThat("document.hasFocus()");
        browser.value("""
            (() => {
              window.reached = new Set();
              window.unseen = [];
              document.addEventListener('focusin', ({ target }) => {
                reached.add(target);
                const seen = [target, ...target.querySelectorAll('rect, path')].some(each => {
                  const style = getComputedStyle(each);
                  return style.outlineStyle !== 'none' || style.boxShadow !== 'none'
                    || (each.namespaceURI.endsWith('svg') && style.stroke === 'rgb(0, 0, 0)');
                });
                if (!seen) {
                  const { outlineStyle, boxShadow } = getComputedStyle(target);
                  unseen.push([target.matches(':focus-visible'), target.isConnected, document.hasFocus(),
                    outlineStyle, boxShadow, target.outerHTML.slice(0, 200)].join());
                }
              });
            })()""");
        final int controls = browser.value("(window.controls = [...document.querySelectorAll("
            + "'a[href], button, input, select, summary, [tabindex=\"0\"]')].filter(each => each.checkVisibility()))"
            + ".length").getAsInt();
        assertThat(controls).isGreaterThan(15);
        browser.type(Browser.TAB.repeat(controls + 5));
        final var left = browser.value("controls.filter(each => each.isConnected && !reached.has(each))"
            + ".map(each => each.outerHTML.slice(0, 200))").getAsJsonArray();
        assertThat(left).as("not reached by Tab: %s", left).isEmpty();
        final var unseen = browser.value("unseen").getAsJsonArray();
        assertThat(unseen).as("had the focus, which was not seen: %s", unseen).isEmpty();
    }

    @Test
    void smallScreensAndLittleMotion() {
        browser.resize(390, 844);
        browser.awaitThat("document.documentElement.scrollWidth <= 390");
        Accessibility.assertByAxe(browser, "a small screen");
        show("switches");
        browser.awaitThat("document.documentElement.scrollWidth <= 390");
        Accessibility.assertByAxe(browser, "a table on a small screen");
        browser.prefer("prefers-reduced-motion", "reduce");
        show("drawing");
        assertThat(browser.value("getComputedStyle(document.querySelector('#drawing .water')).transitionDuration")
            .getAsString()).isEqualTo("0s");
    }

    /** Everything is drawn, and something is chosen and left, while the state is read again and again. */
    @Test
    void updatesLeaveNothingBehind() {
        expandPods();
        update(5);
        final var before = browser.metrics();
        update(UPDATES);
        final var after = browser.metrics();
        say("script %.0f ms, layout and style %.0f ms for each update; heap %.1f MB, %.0f nodes",
            millis(before, after, "ScriptDuration"), millis(before, after, "LayoutDuration")
            + millis(before, after, "RecalcStyleDuration"), after.get("JSHeapUsedSize") / 1e6, after.get("Nodes"));
        assertThat(after.get("Nodes")).as("nodes").isLessThan(before.get("Nodes") * 1.02);
        assertThat(after.get("JSEventListeners")).as("listeners").isLessThan(before.get("JSEventListeners") + 50);
        assertThat(after.get("JSHeapUsedSize")).as("heap").isLessThan(before.get("JSHeapUsedSize") * 1.2 + 1e6);
        assertNoLongTask();
    }

    @Test
    void lighthouseGives95OrMore() {
        say("%s", Accessibility.assertByLighthouse("http://" + page, LOGIN));
    }

    /**
     * Reads the state again some times, and waits each time until it is drawn. Each is a script of its own: the browser
     * ends a script after 30 s, in which a busy machine may not draw all.
     */
    private static void update(final int times) {
        for (int each = 0; each < times; each++) {
            browser.value("""
                (async () => {
                  const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                  const before = answers;
                  window.dispatchEvent(new Event('online'));
                  while (answers < before + 2) { await drawn(); }
                  document.querySelector('.spine').dispatchEvent(new MouseEvent('click', { bubbles: true }));
                  await drawn();
                  document.querySelector('#panel .close').click();
                  await drawn();
                  return true;
                })()""");
        }
    }

    private static double millis(final Map<String, Double> before, final Map<String, Double> after,
            final String name) {
        return (after.get(name) - before.get(name)) * 1000 / UPDATES;
    }

    private static void assertNoLongTask() {
        final var longest = browser.value("Math.max(0, ...longTasks)").getAsInt();
        say("longest task %d ms, %d of 50 ms or more", longest, browser.value("longTasks.length").getAsInt());
        assertThat(longest).isLessThan(SECONDS_MILLIS);
    }

    private static void expandPods() {
        for (int pod = 1; pod <= 4; pod++) {
            browser.value("document.querySelectorAll('.pod .title')[" + (pod - 1)
                + "].dispatchEvent(new MouseEvent('click', { bubbles: true }))");
        }
        browser.awaitThat("document.querySelectorAll('#drawing .dcm').length == 1120");
    }

    /** Shows the drawing or a table. */
    private static void show(final String name) {
        browser.value("[...document.querySelectorAll('#shows button')].find(each =>"
            + " each.textContent.toLowerCase() == " + Browser.quoted(name.toLowerCase(Locale.ROOT)) + ").click()");
    }

    private static int count(final String selector) {
        return browser.value("document.querySelectorAll(" + Browser.quoted(selector) + ").length").getAsInt();
    }

    private static void say(final String text, final Object... values) {
        System.out.printf(Locale.ROOT, "page, 1120 DCMs: " + text + "%n", values);
    }
}
