package org.daqfabric.it;

import java.time.Duration;

/** Scratch. */
final class SizeBench {
    public static void main(final String[] args) throws Exception {
        final var file = FabricFile.parse(Lab.daqlab(("generate --name s " + args[0]).split(" ")).output());
        try (var controller = Distribution.daqfabric("bench").start();
                var fabric = new SimulatedFabric(controller, file, Boolean.parseBoolean(args[1]), Duration.ofMinutes(5))) {
            fabric.switches().start();
            long t = System.nanoTime();
            fabric.put();
            System.out.println("put " + (System.nanoTime() - t) / 1e6);
            try {
                fabric.awaitPhase("converged");
            } finally {
                System.out.println("converged " + (System.nanoTime() - t) / 1e6 + " " + fabric.switches().counts() + " held "
                    + fabric.switches().rules() + " " + fabric.switches().groups());
                System.out.println(fabric.state().summary());
            }
            Thread.sleep(3000);
            System.out.println("heap " + controller.liveHeap() / 1e6);
            System.out.println("verify " + fabric.verify().findings());
            fabric.switches().reset();
            t = System.nanoTime();
            fabric.switches().drop(fabric.switches().switches());
            fabric.awaitPhase("degraded");
            fabric.awaitPhase("converged");
            System.out.println("reconverged " + (System.nanoTime() - t) / 1e6 + " " + fabric.switches().counts());
        }
    }
}
