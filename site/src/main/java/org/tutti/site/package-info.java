/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Makes the site: the documents of the repository and the javadoc of the API, as pages that need no server and no
 * network. A dead link makes it fail.
 */
package org.tutti.site;
