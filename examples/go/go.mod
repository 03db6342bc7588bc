module example.com/messaging-sandbox-example

go 1.21
