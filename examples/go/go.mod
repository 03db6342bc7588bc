module example.com/messaging-sandbox-example

go 1.24

require github.com/messaging-sandbox/messaging-sandbox/clients/go v0.0.0

// Nothing is published yet: the client is that of the copy of the repository.
replace github.com/messaging-sandbox/messaging-sandbox/clients/go => ../../clients/go
