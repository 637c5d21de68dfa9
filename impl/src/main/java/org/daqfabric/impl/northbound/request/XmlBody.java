package org.daqfabric.impl.northbound.request;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.opendaylight.yangtools.util.xml.UntrustedXML;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.XMLNamespace;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.xml.XmlCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.xml.XmlParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizationResultHolder;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/** A body in XML. */
final class XmlBody {
    private XmlBody() {
    }

    /** What is wrong with the body; empty if nothing is. */
    @SuppressWarnings("checkstyle:illegalCatch") // the parser fails in any way
    static Optional<Fault> fault(Target target, XmlCodecFactory codecs, byte[] body) {
        NormalizationResultHolder holder = new NormalizationResultHolder();
        TrackedXml xml = null;
        try (NormalizedNodeStreamWriter writer = ImmutableNormalizedNodeStreamWriter.from(holder)) {
            Optional<QName> root = root(target, body);
            if (root.isEmpty()) {
                return Optional.of(Fault.protocol(ErrorTag.UNKNOWN_ELEMENT, target.addressed(),
                    "the body's element is not in the model" + target.child().map(name -> ": begin it with <"
                        + name.getLocalName() + " xmlns=\"" + name.getNamespace() + "\">").orElse("")));
            }
            SchemaInferenceStack stack = target.parent().copy();
            stack.enterDataTree(root.get());
            xml = new TrackedXml(reader(body));
            XmlParserStream.create(writer, codecs, stack.toInference()).parse(xml);
        } catch (IOException | XMLStreamException | RuntimeException e) {
            return Optional.of(Unreadable.at(target, xml == null ? List.of() : xml.steps(),
                xml == null ? Optional.empty() : xml.value(), e));
        }
        return Content.fault(target, holder.result());
    }

    /** Whether the body is a node of one of our modules. */
    static boolean isOurs(Target target, byte[] body) {
        try {
            return root(target, body).filter(name -> Schemas.isOurs(name.getNamespace())).isPresent();
        } catch (XMLStreamException | IllegalArgumentException e) {
            return false;
        }
    }

    /** The child of the target that the body is; empty if the model has none of that name. */
    private static Optional<QName> root(Target target, byte[] body) throws XMLStreamException {
        XMLStreamReader xml = reader(body);
        xml.nextTag();
        return xml.getNamespaceURI() == null ? Optional.empty()
            : target.model().findModuleStatements(XMLNamespace.of(xml.getNamespaceURI())).stream().findFirst()
                .flatMap(module -> Schemas.child(target.model(), target.place().nearest(),
                    module.argument().getLocalName() + ":" + xml.getLocalName()))
                .map(node -> node.getQName());
    }

    private static XMLStreamReader reader(byte[] body) throws XMLStreamException {
        return UntrustedXML.createXMLStreamReader(new ByteArrayInputStream(body));
    }
}
