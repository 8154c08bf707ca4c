//go:build soak

package sim

import "testing"

// TestSoakRandomWorlds tries two hundred thousand worlds that the short tests do not.
func TestSoakRandomWorlds(t *testing.T) {
	*firstSeed, *worlds = 1_000_000, 200_000
	for _, c := range []struct {
		name string
		test func(*testing.T)
	}{
		{"TestRandomWorldsKeepTheirInvariants", TestRandomWorldsKeepTheirInvariants},
		{"TestAClonesStepsLeaveTheOriginalAlone", TestAClonesStepsLeaveTheOriginalAlone},
		{"TestAdvancingIsTheSameAsStepping", TestAdvancingIsTheSameAsStepping},
		{"TestAnUnrelatedClientChangesNothingForOthers", TestAnUnrelatedClientChangesNothingForOthers},
		{"TestATimeShiftChangesNoDecision", TestATimeShiftChangesNoDecision},
		{"TestAnUnlimitedBudgetEqualsNone", TestAnUnlimitedBudgetEqualsNone},
	} {
		t.Run(c.name, c.test)
	}
}
