// TelecapProtocols: the list of all protocols. Whoever reads, stores or judges messages is given those that it is to know.
