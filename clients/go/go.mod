module example.com/messaging-sandbox/clients/go

go 1.24
