// TelecapWire
