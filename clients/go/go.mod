module github.com/messaging-sandbox/messaging-sandbox/clients/go

go 1.24
