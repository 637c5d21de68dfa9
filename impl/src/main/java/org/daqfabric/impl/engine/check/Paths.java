package org.daqfabric.impl.engine.check;

import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;

/**
 * Instance paths of the nodes of one fabric.
 *
 * @param fabric path of the fabric itself
 */
record Paths(String fabric) {
    static Paths of(String fabric) {
        return new Paths("/daqfabric:fabrics/fabric" + key("name", fabric));
    }

    String plane(Plane plane) {
        return fabric + "/plane" + key("id", plane.id());
    }

    String spine(Plane plane, Spine spine) {
        return plane(plane) + "/spine" + key("id", spine.id());
    }

    String leaf(Plane plane, Leaf leaf) {
        return plane(plane) + "/leaf" + key("pod", leaf.pod());
    }

    String pod(Pod pod) {
        return fabric + "/pod" + key("id", pod.id());
    }

    String ros(Pod pod, Ros ros) {
        return pod(pod) + "/ros" + key("name", ros.name());
    }

    String rack(Pod pod, HltRack rack) {
        return pod(pod) + "/hlt-rack" + key("name", rack.name());
    }

    String dcm(Pod pod, HltRack rack, Dcm dcm) {
        return rack(pod, rack) + "/dcm" + key("name", dcm.name());
    }

    String switchNamed(String name) {
        return fabric + "/switch" + key("name", name);
    }

    String link(PortId end) {
        return fabric + "/link" + key("switch", end.switchName()) + key("port", end.port());
    }

    private static String key(String leaf, Object value) {
        String text = String.valueOf(value);
        char quote = text.indexOf('\'') < 0 ? '\'' : '"';
        return "[" + leaf + "=" + quote + text + quote + "]";
    }
}
