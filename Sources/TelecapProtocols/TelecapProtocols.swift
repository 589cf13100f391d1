// TelecapProtocols: the list of all protocols. Code that reads, stores or tests messages gets its protocols from here.
