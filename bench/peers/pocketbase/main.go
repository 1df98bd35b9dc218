// PocketBase with one collection that anybody may list and add to. Arguments: port, directory, animals.
package main

import (
	"log"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

func main() {
	port, dir, animals := os.Args[1], os.Args[2], os.Args[3]
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: dir, DBConnect: durable})
	check(app.Bootstrap())
	check(app.RunAllMigrations())
	// Its log of requests, a database of its own, is spared it.
	app.Settings().Logs.MaxDays = 0
	check(app.Save(app.Settings()))
	check(seed(app, animals))
	// It would show the page where the first administrator is made.
	app.OnServe().BindFunc(func(event *core.ServeEvent) error {
		event.InstallerFunc = nil
		return event.Next()
	})
	check(apis.Serve(app, apis.ServeConfig{HttpAddr: "127.0.0.1:" + port}))
}

// durable opens a database as PocketBase does, but so that what was acknowledged is on disk.
func durable(path string) (*dbx.DB, error) {
	return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"+
		"&_pragma=journal_size_limit(200000000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)"+
		"&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
}

func seed(app core.App, animals string) error {
	pets := core.NewBaseCollection("pets")
	pets.ListRule = types.Pointer("")
	pets.CreateRule = types.Pointer("")
	whole, longest := 1.0, 120
	pets.Fields.Add(
		&core.TextField{Name: "name", Required: true, Max: longest},
		&core.NumberField{Name: "categoryId", Required: true, OnlyInt: true, Min: &whole},
		&core.SelectField{Name: "status", Values: []string{"available", "pending", "sold"}},
	)
	pets.AddIndex("pets_status", false, "status", "")
	if err := app.Save(pets); err != nil {
		return err
	}
	_, err := app.DB().NewQuery(`
		WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ` + animals + `)
		INSERT INTO pets (name, categoryId, status)
		SELECT 'Rex ' || n, n % 3 + 1,
		       CASE n % 10 WHEN 8 THEN 'pending' WHEN 9 THEN 'sold' ELSE 'available' END
		FROM number`).Execute()
	return err
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
