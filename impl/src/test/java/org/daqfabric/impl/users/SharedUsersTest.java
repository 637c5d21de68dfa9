package org.daqfabric.impl.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Members have the same users, whatever is changed where, and whoever is away meanwhile. */
class SharedUsersTest {
    private static final int STEPS = 400;
    private static final RowId ANNA = new RowId(Kind.USER, "anna@sdn");
    private static final RowId OPERATES = new RowId(Kind.GRANT, "anna@sdn@operator@sdn@sdn");

    private final MemberInMemory.ClockByHand clock = new MemberInMemory.ClockByHand();
    private final List<MemberInMemory> members = new ArrayList<>();
    @TempDir
    private Path folder;

    private static Row user(String password) {
        return new Row(Map.of(Row.NAME, "anna", Row.PASSWORD, password));
    }

    private static Row grant(String user) {
        return new Row(Map.of(Row.USER, user, Row.ROLE, "operator@sdn"));
    }

    private MemberInMemory member(String name) {
        MemberInMemory made = new MemberInMemory(name, folder, clock);
        members.add(made);
        return made;
    }

    /** Everybody tells everybody, until that changes nothing. */
    private void all() throws Exception {
        for (int round = 0; round < 2; round++) {
            for (MemberInMemory one : members) {
                for (MemberInMemory other : members) {
                    other.hear(one);
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void theNewestChangeIsEverywhere(long seed) throws Exception {
        Random random = new Random(seed);
        for (int number = 1; number <= 3; number++) {
            member("member-" + number).start();
        }
        Map<RowId, Row> expected = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            MemberInMemory one = members.get(random.nextInt(members.size()));
            MemberInMemory other = members.get(random.nextInt(members.size()));
            switch (random.nextInt(6)) {
                case 0, 1 -> change(one, random, expected);
                case 2, 3 -> hearSome(one, other, random);
                case 4 -> one.start();
                default -> killWhileItHears(one, other, random.nextInt(3));
            }
        }
        all();
        assertThat(expected).isNotEmpty();
        for (MemberInMemory each : members) {
            assertThat(each.rows).as(each.name).isEqualTo(expected);
            assertThat(each.users.look()).isFalse();
            assertThat(LedgerText.digest(each.users.ledger()))
                .isEqualTo(LedgerText.digest(members.getFirst().users.ledger()));
        }
    }

    /** Somebody changes a row at a member, which may not know what was changed elsewhere. */
    private void change(MemberInMemory one, Random random, Map<RowId, Row> expected) throws Exception {
        one.users.look();
        clock.millis++;
        String name = "user" + random.nextInt(4) + "@sdn";
        RowId user = new RowId(Kind.USER, name);
        RowId role = new RowId(Kind.GRANT, name + "@operator@sdn@sdn");
        switch (random.nextInt(4)) {
            case 0 -> {
                if (one.rows.remove(user) != null) {
                    expected.remove(user);
                    if (one.rows.containsKey(role)) {
                        expected.remove(role);
                    }
                }
            }
            case 1 -> {
                if (one.rows.remove(role) != null) {
                    expected.remove(role);
                }
            }
            case 2 -> {
                if (one.rows.putIfAbsent(role, grant(name)) == null) {
                    expected.put(role, grant(name));
                }
            }
            default -> {
                Row row = user("hash " + random.nextInt());
                one.rows.put(user, row);
                expected.put(user, row);
            }
        }
        one.users.look();
    }

    private void killWhileItHears(MemberInMemory one, MemberInMemory other, int after) throws Exception {
        one.killedAfter = after;
        try {
            one.hear(other);
        } catch (MemberInMemory.KilledException e) {
            one.killedAfter = -1;
            one.start();
        }
        one.killedAfter = -1;
    }

    private void hearSome(MemberInMemory one, MemberInMemory other, Random random) throws Exception {
        List<Ledger> parts = new ArrayList<>(other.users.ledger().parts(1 + random.nextInt(3)));
        Collections.shuffle(parts, random);
        for (Ledger part : parts.subList(0, random.nextInt(parts.size() + 1))) {
            one.users.receive(part);
        }
    }

    /** What a member made for itself is no change: accounts in use stay when it joins. */
    @Test
    void whoJoinsTakesWhatTheOthersHave() throws Exception {
        MemberInMemory second = member("member-2");
        second.rows.put(ANNA, user("in use"));
        second.start();
        clock.millis++;
        MemberInMemory first = member("member-1");
        first.rows.put(ANNA, user("made for itself"));
        first.rows.put(new RowId(Kind.USER, "berta@sdn"), user("of nobody else"));
        first.start();
        all();
        assertThat(first.rows).hasSize(2).isEqualTo(second.rows).containsEntry(ANNA, user("in use"));
        assertThat(first.applied).containsExactly(new RowChange(ANNA, Optional.of(user("in use")), "member-2"));
    }

    @Test
    void aMemberThatWasAwayDeletesWhoIsDeleted() throws Exception {
        MemberInMemory one = member("member-1");
        one.rows.put(ANNA, user("secret"));
        one.rows.put(OPERATES, grant(ANNA.id()));
        one.start();
        MemberInMemory away = member("member-2");
        away.start();
        all();
        assertThat(away.rows).isEqualTo(one.rows);
        one.rows.remove(ANNA); // and not her role, as AAA does
        assertThat(one.users.look()).isTrue();
        assertThat(one.rows).isEmpty();
        away.loseFile();
        away.start();
        all();
        assertThat(away.rows).isEmpty();
        one.rows.put(ANNA, user("the next one of that name"));
        one.users.look();
        all();
        assertThat(away.rows).isEqualTo(Map.of(ANNA, user("the next one of that name")));
    }

    /** A clock that is an hour late does not keep what was changed before. */
    /** Who is deleted while a member takes a change of another is not there again. */
    @Test
    void whatIsChangedMeanwhileIsFound() throws Exception {
        MemberInMemory one = member("member-1");
        MemberInMemory two = member("member-2");
        one.rows.put(ANNA, user("secret"));
        one.start();
        two.start();
        all();
        two.rows.put(OPERATES, grant(ANNA.id()));
        two.users.look();
        one.meanwhile = () -> one.rows.remove(ANNA);
        clock.millis++;
        one.hear(two);
        one.meanwhile = () -> { };
        assertThat(one.users.look()).isTrue();
        all();
        assertThat(one.rows).isEmpty();
        assertThat(two.rows).isEmpty();
    }

    @Test
    void whoChangesWhatItKnowsIsNewer() throws Exception {
        MemberInMemory one = member("member-1");
        MemberInMemory late = member("member-2");
        one.start();
        late.start();
        one.rows.put(ANNA, user("first"));
        one.users.look();
        all();
        clock.millis -= 3_600_000;
        late.rows.put(ANNA, user("second"));
        late.users.look();
        all();
        assertThat(one.rows).containsEntry(ANNA, user("second"));
    }

    /** What could not be written is no change that others would have to take over. */
    @Test
    void whatCannotBeWrittenIsTriedAgain() throws Exception {
        MemberInMemory one = member("member-1");
        MemberInMemory other = member("member-2");
        one.start();
        other.start();
        one.rows.put(ANNA, user("secret"));
        one.users.look();
        other.fails = true;
        all();
        assertThat(other.rows).isEmpty();
        assertThat(other.users.look()).isFalse();
        other.fails = false;
        assertThat(other.users.look()).isFalse();
        assertThat(other.rows).isEqualTo(one.rows).isNotEmpty();
    }

    @Test
    void theFileIsForItsOwnerAlone() throws Exception {
        member("member-1").start();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("member-1.json"))))
            .isEqualTo("rw-------");
        Files.writeString(folder.resolve("member-1.json"), "{}");
        member("member-1").start();
    }
}
