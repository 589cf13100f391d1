// TelecapConformance
