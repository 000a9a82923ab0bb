"""KodaCode's agents: `.kodacode/agents/<id>.md` (dialect `kodacode`)."""
