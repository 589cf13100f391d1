// TelecapImpairment
