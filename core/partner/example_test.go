package partner_test

import (
	"fmt"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/partner"
)

// A charge that is sent twice under one key happens once. Without a key it happens each time.
func ExamplePartner_Handle() {
	p, err := partner.New(partner.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range []call.Request{
		{ClientID: "shop", Method: "POST", Path: "/add", Keyed: true, Key: "order-7", Amount: 10},
		{ClientID: "shop", Method: "POST", Path: "/add", Keyed: true, Key: "order-7", Amount: 10},
		{ClientID: "shop", Method: "POST", Path: "/add", Amount: 10},
	} {
		var result partner.Result
		p, result = p.Handle(clock.Start, r)
		fmt.Println(result.Response.Status, result.Response.Body, result.Answer.Verdict, result.Answer.Reason, result.Delta)
	}
	fmt.Println(p.Total())
	// Output:
	// 200 {"total":10} apply key-new 10
	// 200 {"total":10} replay key-known 0
	// 200 {"total":20} apply key-absent 10
	// 20
}
