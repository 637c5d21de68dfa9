package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page in a browser, on a running fabric. */
@ExtendWith(SharedController.class)
class PageIT {
    private static final String LOGIN = "admin:admin";
    private static final String CUT_LINK = ".link[data-id='p1l1:to-p1s1']";

    private static FabricFile file;
    private static LabFabric fabric;
    private static Browser browser;
    private static String origin;

    @BeforeAll
    static void bringUp(final Distribution controller, final Lab lab) {
        file = lab.generate("page", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4");
        fabric = lab.converged(file);
        origin = "127.0.0.1:" + controller.port("restconf");
        browser = new Browser();
    }

    @AfterAll
    static void takeDown() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void openPage() {
        browser.open("http://" + LOGIN + "@" + origin + "/daqfabric/?fabric=" + fabric.name());
        browser.awaitText("#connection", "live");
        browser.awaitThat("document.querySelectorAll('#drawing .link.up').length == 16");
    }

    /** Saves the final view, for the analysis of failures. */
    @AfterEach
    void saveScreenshot(final TestInfo test) {
        browser.screenshot(Distribution.projectRoot()
            .resolve("it/target/page/" + test.getTestMethod().orElseThrow().getName() + ".png"));
    }

    @Test
    void cutLinkTurnsRedWithinASecondAndItsRepairIsOnTheTimeline() {
        browser.value("(window.turned = new Promise(done => new MutationObserver(() => {"
            + "if (document.querySelector(\"" + CUT_LINK + "\").dataset.state == 'down') { done(Date.now()); }"
            + "}).observe(document.querySelector('#drawing'), { subtree: true, attributes: true })), true)");
        // the lab cuts the link at the end of the command, which itself takes some tenths of a second
        fabric.daqlab("cut", "p1l1", "to-p1s1");
        final long cut = System.currentTimeMillis();
        browser.awaitThat("document.querySelector(\"" + CUT_LINK + "\").dataset.state == 'down'");
        assertThat(browser.value("window.turned").getAsLong() - cut).as("ms after the cut").isLessThan(1000);
        assertThat(browser.value("getComputedStyle(document.querySelector(\"" + CUT_LINK + " .stroke\")).stroke")
            .getAsString())
            .isEqualTo("rgb(213, 94, 0)");
        assertThat(browser.text(CUT_LINK + " .sign")).isEqualTo("✕");
        browser.awaitText("#status .phase", "degraded");
        browser.awaitText("#timeline .happened .repair", "down: p1l1:to-p1s1");
        browser.awaitText("#panel .troubles", "p1l1:to-p1s1");
        fabric.restore("p1l1", "to-p1s1");
        browser.awaitThat("document.querySelector(\"" + CUT_LINK + "\").dataset.state == 'up'");
    }

    /** A run and its health are shown; a link that returns during the run is held back until its end. */
    @Test
    void runAndHealthAreShown(final Restconf restconf) {
        final var partition = new RunPartition(restconf, "seen", fabric.name());
        try {
            partition.prepared("").armed().started(4711);
            browser.awaitText("#status .run-state.running", "seen: running 4711");
            browser.awaitText("#status .health.ok", "ok");
            fabric.daqlab("cut", "p1l1", "to-p1s1");
            browser.awaitText("#status .health.degraded", "degraded");
            browser.awaitText("#timeline .happened", "degraded");
            fabric.daqlab("restore", "p1l1", "to-p1s1");
            browser.awaitThat("document.querySelector(\"" + CUT_LINK + "\").dataset.state == 'held-back'");
        } finally {
            partition.ask("abort", "").orFail();
        }
        browser.awaitText("#status .run-state.idle", "seen: idle");
        browser.awaitThat("!document.querySelector('#status .health')");
        browser.awaitThat("document.querySelector(\"" + CUT_LINK + "\").dataset.state == 'up'");
    }

    @Test
    void pathOfADcmIsShownAndAnUnknownRosRefused() {
        browser.click(".dcm[data-id='h2-1d2']");
        browser.awaitText("#panel h2", "DCM h2-1d2");
        browser.awaitText(".trace .summary", "Arrives; 5 switches");
        assertThat(browser.text(".trace td:first-child").lines().distinct())
            .containsExactlyElementsOf(fabric.trace("r1-1", "h2-1d2"));
        browser.awaitThat("document.querySelector('.trace path.flow.arrives')");
        browser.value("document.querySelector('#other-end').select() || document.querySelector('#other-end').focus()");
        browser.type("nobody" + Browser.ENTER);
        browser.awaitText(".trace .refused", "No ROS is named “nobody”");
        browser.awaitThat("!document.querySelector('.trace path.flow')");
    }

    @Test
    void pathAfterAFailureIsShown() {
        browser.click(".dcm[data-id='h2-1d2']");
        browser.awaitText(".trace .summary", "Arrives");
        browser.value("(s => { s.value = 'r1-1:to-p1l1'; if (!s.value) { s.value = 'r1-1:to-p2l1'; }"
            + " s.dispatchEvent(new Event('change')); })(document.querySelector('#fail'))");
        browser.awaitText(".trace .options", "after the repair");
        browser.awaitText(".trace .summary", "Arrives");
    }

    @Test
    void spineIsDrainedByKeyboardAlone() {
        final var before = fabric.state().generation();
        final var spine = spineWithDcms();
        browser.type("/" + spine + Browser.ENTER);
        browser.awaitText("#panel h2", "Spine " + spine);
        browser.awaitText(".failure .summary", "DCMs move");
        browser.tabTo("document.activeElement.id == 'plan-change'");
        browser.type(Browser.ENTER);
        browser.awaitText(".change .summary", "DCMs move");
        assertThat(fabric.state().generation()).as("planning touches nothing").isEqualTo(before);
        browser.tabTo("document.activeElement.id == 'carry-out'");
        browser.type(Browser.ENTER);
        browser.awaitText("dialog h2", "Drain switch " + spine + "?");
        browser.type(Browser.ESCAPE);
        browser.awaitThat("!document.querySelector('dialog')");
        browser.tabTo("document.activeElement.id == 'carry-out'");
        browser.type(Browser.ENTER);
        browser.tabTo("document.activeElement.id == 'confirm'");
        browser.type(Browser.ENTER);
        browser.awaitText(".change .done", "being drained");
        browser.awaitThat(stateOf(spine) + " == 'drained'");
        browser.awaitThat("document.querySelector('.spine[data-id=" + spine + "] .level').textContent == '0'");
        fabric.assertAllReachable();
        undrain(spine);
    }

    /** Any spine with DCMs: which one depends on earlier tests, as DCMs move back only if bandwidth is gained. */
    private static String spineWithDcms() {
        return browser.value(
            "[...document.querySelectorAll('.spine')].find(e => Number(e.querySelector('.level').textContent) > 1)"
            + ".dataset.id")
            .getAsString();
    }

    private static String stateOf(final String switchName) {
        return "document.querySelector('.switch[data-id=" + switchName + "]').dataset.state";
    }

    private static void undrain(final String spine) {
        browser.type(Browser.ESCAPE);
        browser.click(".switch[data-id=" + spine + "]");
        browser.click("#plan-change");
        browser.awaitText(".failure .summary", "No DCM moves");
        browser.awaitThat("document.querySelector('#carry-out')");
        browser.click("#carry-out");
        browser.click("#confirm");
        browser.awaitThat(stateOf(spine) + " == 'up'");
        fabric.awaitPhase("converged");
    }

    /** The interfaces of the lab say that they have 10 Gbps. */
    @Test
    void portSlowerThanDeclaredIsShown() {
        final var faster = file.copy();
        faster.link("p1l1", "to-p1s1").addProperty("capacity", "25");
        fabric.put(faster);
        browser.awaitText("#panel .troubles", "p1l1:to-p1s1: 10 Gbps where 25 Gbps are declared");
        browser.click("#panel .troubles .faulty");
        browser.awaitText("#panel h2", "Link p1l1:to-p1s1");
        browser.awaitText("#panel", "10 Gbps, full duplex, MTU 1500");
        browser.awaitText("#panel", "correct the capacity of link p1l1:to-p1s1");
        fabric.put(file).awaitPhase("converged");
    }

    @Test
    void previewOfAFailureChangesNothing() {
        final var before = fabric.state().generation();
        final var spine = spineWithDcms();
        final var link = spine.substring(0, 2) + "l1:to-" + spine;
        browser.click(".link[data-id='" + link + "']");
        browser.awaitText("#panel h2", "Link " + link);
        browser.awaitText(".failure .summary", "Every ROS reaches every DCM");
        browser.awaitThat("document.querySelector('.spine[data-id=" + spine + "] .preview').getAttribute('d')");
        browser.awaitText(".spine[data-id=" + spine + "] .level", "−");
        assertThat(fabric.state().generation()).isEqualTo(before);
    }

    @Test
    void arrowKeysMoveThroughTheDrawing() {
        browser.tabTo("document.activeElement.closest('#drawing')");
        final var first = browser.value("document.activeElement.getAttribute('aria-label')").getAsString();
        browser.type(Browser.DOWN);
        assertThat(browser.value("document.activeElement.getAttribute('aria-label')").getAsString()).isNotEqualTo(first)
            .isNotBlank();
        browser.value("document.querySelector('.switch[data-id=p1l1]').focus()");
        browser.type(Browser.ENTER);
        browser.awaitText("#panel h2", "Leaf p1l1");
        browser.type(Browser.ESCAPE);
        browser.awaitText("#panel h2", "Fabric " + fabric.name());
    }

    @Test
    void lossOfTheControllerIsShown() {
        browser.offline(true);
        try {
            browser.awaitText("#banner", "Lost the controller");
            browser.awaitText("#connection", "lost");
        } finally {
            browser.offline(false);
        }
        browser.awaitText("#connection", "live");
        assertThat(browser.text("#banner")).isEmpty();
    }

    @Test
    void unknownNameIsRefused() {
        browser.type("/<b>x</b>" + Browser.ENTER);
        browser.awaitText("#find .refused", "“<b>x</b>”");
        assertThat(browser.value("document.querySelectorAll('#find b').length").getAsInt()).isZero();
    }

    @Test
    void pageRequiresALogin() throws Exception {
        assertThat(get("/daqfabric/", false).statusCode()).isEqualTo(401);
        final var page = get("/daqfabric/", true);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse("")).startsWith("default-src 'self'");
        assertThat(page.body()).doesNotContain("http://", "https://");
    }

    /** It would lead away from a proxy that has ended TLS. */
    @Test
    void slashThatIsMissingIsAddedWithoutSchemeAndHost() throws Exception {
        final var answer = get("/daqfabric", true);
        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.headers().firstValue("Location")).contains("/daqfabric/");
    }

    @ParameterizedTest
    @ValueSource(strings = { "nothing.js", "app", "lib/d3/", "%2e%2e/org/daqfabric/impl/web/Page.class",
        "..%2findex.html", "a//b.js", "%00.js" })
    void otherPathsAreNotFound(final String path) throws Exception {
        assertThat(get("/daqfabric/" + path, true).statusCode()).isBetween(400, 404);
    }

    private static HttpResponse<String> get(final String path, final boolean login)
            throws IOException, InterruptedException {
        final var request = HttpRequest.newBuilder(URI.create("http://" + origin + path));
        if (login) {
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(LOGIN.getBytes()));
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}
