package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.org/pets/manage"
	"example.org/pets/public"
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func bearer(secret string) func(context.Context, *http.Request) error {
	return func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+secret)
		return nil
	}
}

func main() {
	base, key, token, account := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	pets := must(public.NewClientWithResponses(base+"/v1", public.WithRequestEditorFn(bearer(key))))
	management := must(manage.NewClientWithResponses(base+"/manage/v1", manage.WithRequestEditorFn(bearer(token))))

	rex := public.NewPet{Name: "Rex", CategoryId: 1}
	made := must(pets.CreatePetWithResponse(ctx, nil, rex))
	id := made.JSON201.Id
	tag := made.HTTPResponse.Header.Get("ETag")
	pending := public.PetStatus("pending")
	updated := must(pets.UpdatePetWithResponse(ctx, id, &public.UpdatePetParams{IfMatch: &tag}, public.PetPatch{Status: &pending}))
	status := public.ListPetsParamsStatus("pending")
	ids := []int64{id}
	listed := must(pets.ListPetsWithResponse(ctx, &public.ListPetsParams{Status: &status, Id: &ids}))
	names := []string{}
	for _, pet := range must(listed.JSON200.AsPets()) {
		names = append(names, pet.Name)
	}
	refused := must(pets.CreatePetWithResponse(ctx, nil, public.NewPet{Name: "", CategoryId: 1}))

	managed := must(management.ListAnimalsWithResponse(ctx, account, "production", nil))
	animals := []string{}
	for _, animal := range must(managed.JSON200.AsStaffPetList0()) {
		animals = append(animals, animal.Name)
	}
	absent := must(management.GetAccountWithResponse(ctx, "acc_none", nil))
	fmt.Println(string(must(json.Marshal(map[string]any{
		"status": updated.JSON200.Status, "names": names, "code": refused.JSON400.Code,
		"animals": animals, "absent": absent.JSON404.Code,
	}))))
}
