package org.daqfabric.impl;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** What is tested, read once for all tests of a Java that look at the code itself: that takes seconds. */
final class MainClasses {
    static final JavaClasses ALL = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages("org.daqfabric");

    private MainClasses() {
    }
}
