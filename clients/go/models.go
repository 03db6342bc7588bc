package sandbox

import "time"

// Object is any JSON that is sent or received as it is.
type Object = map[string]any

// The structs below have the fields of the control plane's document that tests need. A time that may be missing is a
// pointer.

// MessageStatus, TemplateStatus and EndpointStatus are the states of a record.
type (
	MessageStatus  string
	TemplateStatus string
	EndpointStatus string
)

const (
	MessageReceived  MessageStatus = "received"
	MessageAccepted  MessageStatus = "accepted"
	MessageSent      MessageStatus = "sent"
	MessageDelivered MessageStatus = "delivered"
	MessageRead      MessageStatus = "read"
	MessageFailed    MessageStatus = "failed"

	TemplatePending  TemplateStatus = "pending"
	TemplateApproved TemplateStatus = "approved"
	TemplateRejected TemplateStatus = "rejected"
	TemplatePaused   TemplateStatus = "paused"
	TemplateDeleted  TemplateStatus = "deleted"

	EndpointActive EndpointStatus = "active"
	EndpointPaused EndpointStatus = "paused"
)

type Clock struct {
	Now     time.Time
	Mode    string
	Scale   float64
	Pending int
	NextDue *time.Time `json:"next_due"`
}

// ClockInput says how a clock runs: in a mode (real, frozen, scaled or auto), from an instant.
type ClockInput struct {
	Mode  string    `json:"mode,omitempty"`
	Now   time.Time `json:"now,omitzero"`
	Scale float64   `json:"scale,omitempty"`
}

// AdvanceInput says how far to advance; exactly one of By, To and Until ("next" or "idle").
type AdvanceInput struct {
	By         Duration  `json:"by,omitempty"`
	To         time.Time `json:"to,omitzero"`
	Until      string    `json:"until,omitempty"`
	Max        Duration  `json:"max,omitempty"`
	SettleReal Duration  `json:"settle_real,omitempty"`
}

type AdvanceResult struct {
	Now time.Time
	Ran []struct {
		At           time.Time
		Job, Subject string
	}
	RanTotal   int `json:"ran_total"`
	Deliveries int
	Pending    int
}

// ResetInput says what of an account stays, and how it starts again. A scenario is a name or an Object.
type ResetInput struct {
	Keep []string `json:"keep,omitempty"`
	// IDs is "restart" for the same ids from the same calls as in a new account; otherwise no id is given twice.
	IDs      string      `json:"ids,omitempty"`
	Clock    *ClockInput `json:"clock,omitempty"`
	Scenario any         `json:"scenario,omitempty"`
}

// PlayInput says how a scenario is played. Application is the address of the application, for the steps that call it.
type PlayInput struct {
	Name        string `json:"name,omitempty"`
	Scenario    any    `json:"scenario,omitempty"`
	Application string `json:"application,omitempty"`
	Pace        string `json:"pace,omitempty"`
	MaxReal     string `json:"max_real,omitempty"`
	QuietReal   string `json:"quiet_real,omitempty"`
}

// PlayEnd says what ended a play, and which jobs were still due.
type PlayEnd struct {
	At         string
	Because    string
	StillDue   []string `json:"still_due"`
	IdleRealMs *int     `json:"idle_real_ms"`
}

// Explain says why something went as it did: the header, rule, magic value or default that decided.
type Explain struct {
	By, ID, File, Text string
	Line               int
}

type Customer struct {
	Phone       string
	ProfileName string `json:"profile_name"`
	Window      struct {
		Open     bool
		ClosesAt *time.Time `json:"closes_at"`
	}
	LastInboundAt *time.Time `json:"last_inbound_at"`
}

type InboundResult struct {
	MessageID      string    `json:"message_id"`
	EventID        string    `json:"event_id"`
	WindowClosesAt time.Time `json:"window_closes_at"`
}

type Button struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// MessageError is the reason why a message failed.
type MessageError struct {
	Code, Message string
	ChannelCode   int `json:"channel_code"`
}

// Message is one of the account or, with the direction "inbound", of a customer.
type Message struct {
	ID, Wamid           string
	MessageID           string `json:"message_id"`
	BatchID             string `json:"batch_id"`
	OTPID               string `json:"otp_id"`
	Seq                 int64
	Direction, From, To string
	ProfileName         string `json:"profile_name"`
	Status              MessageStatus
	Type, Text          string
	MediaURL            string `json:"media_url"`
	Interactive         *Interactive
	Template            *SentTemplate
	Error               *MessageError
	CreatedAt           time.Time `json:"created_at"`
	History             []Step
	Explain             Explain
}

// Interactive is a text with buttons or, in a message of a customer, the button that was tapped.
type Interactive struct {
	Body      string
	Buttons   []Button
	ID, Title string
}

type SentTemplate struct {
	Name, Language, Category, Body string
	Variables                      []string
	Buttons                        []Object
}

// Step is a state that a message or a template reached, and by whose hand.
type Step struct {
	Status, By string
	At         time.Time
	Error      *MessageError
}

type CreateTemplateRequest struct {
	Name     string   `json:"name"`
	Category string   `json:"category"`
	Language string   `json:"language"`
	Body     string   `json:"body,omitempty"`
	Buttons  []Object `json:"buttons,omitempty"`
}

type Template struct {
	ID, Name, Category, Language string
	Seq                          int64
	Status                       TemplateStatus
	Body, Text                   string
	Buttons                      []Object
	RejectionReason              string    `json:"rejection_reason"`
	CreatedAt                    time.Time `json:"created_at"`
	History, Planned             []Step
	Explain                      Explain
}

// OTP is a one-time code that was sent.
type OTP struct {
	OTPID                     string `json:"otp_id"`
	Seq                       int64
	To, Code, State, Template string
	AttemptsRemaining         int        `json:"attempts_remaining"`
	MessageID                 string     `json:"message_id"`
	CreatedAt                 time.Time  `json:"created_at"`
	ExpiresAt                 time.Time  `json:"expires_at"`
	VerifiedAt                *time.Time `json:"verified_at"`
	Explain                   Explain
}

type Event struct {
	ID, Type  string
	Seq       int64
	CreatedAt time.Time `json:"created_at"`
	Data      Object
	Explain   *Explain
}

type EmitResult struct {
	Event      Event
	Deliveries []Delivery
}

// Exchange is a request or a response of an attempt or a call. Lists show no bodies.
type Exchange struct {
	URL, Query string
	Headers    Object
	Body       any
	Truncated  bool
}

type Attempt struct {
	Number               int
	At                   time.Time
	Status               int
	DurationMS           float64 `json:"duration_ms"`
	Trigger, Error, Hint string
	Faults               []string
	SentTo               string `json:"sent_to"`
	Explain              *Explain
	Request              Exchange
	Response             *Exchange
}

type Delivery struct {
	ID, URL, State, Payload string
	Seq                     int64
	EventID                 string `json:"event_id"`
	EventType               string `json:"event_type"`
	WebhookID               string `json:"webhook_id"`
	Attempts                []Attempt
	NextAttemptAt           *time.Time `json:"next_attempt_at"`
	CreatedAt               time.Time  `json:"created_at"`
	Faults                  []string
	Explain                 *Explain
}

type WebhookRegistration struct {
	WebhookID   string `json:"webhook_id"`
	Status      EndpointStatus
	URL, Secret string
	Events      []string
}

type Endpoint struct {
	Status                 EndpointStatus
	ID, URL, Alias, Secret string
	Seq                    int64
	Events                 []string
	PauseReason            string     `json:"pause_reason"`
	FailingSince           *time.Time `json:"failing_since"`
	CreatedAt              time.Time  `json:"created_at"`
	UpdatedAt              time.Time  `json:"updated_at"`
}

// JournalRequest is one call of the application.
type JournalRequest struct {
	ID, Operation, Method, Path string
	Seq                         int64
	At                          time.Time
	Status                      int
	DurationMS                  float64 `json:"duration_ms"`
	Request                     Exchange
	Response                    *Exchange
	Warnings                    []string
	Error, Fault                string
	Explain                     *Explain
}

// SinkResponse is how a sink responds, Times times.
type SinkResponse struct {
	Status int      `json:"status"`
	Delay  Duration `json:"delay,omitempty"`
	Times  int      `json:"times,omitempty"`
}

type SinkRequest struct {
	Seq                int64
	At                 time.Time
	Method, Path, Body string
	Headers            Object
	SignatureValid     *bool `json:"signature_valid"`
	Answered           int
}

type SnapshotInfo struct {
	Seq     int64
	Name    string
	TakenAt time.Time `json:"taken_at"`
}

type Rule struct {
	ID, When string
	Seq      int64
	Hits     int
	LastHit  *struct {
		At      time.Time
		Subject string
	} `json:"last_hit"`
	Warnings []Object
}

type ActiveScenario struct {
	Name, Description, File string
	ActivatedAt             *time.Time `json:"activated_at"`
	EndsAt                  *time.Time `json:"ends_at"`
	Scenario                Object
	Rules                   []Rule
	Warnings                []Object
}

type Verdict struct {
	Scenario, Reason, Note string
	Passed                 bool
	Warnings               []string
	Checks                 []struct {
		Passed                             bool
		At, That, Because, Expected, Found string
	}
	// Ended is set by Play.
	Ended *PlayEnd
}

type KnownScenario struct {
	Name, Description, File string
	Active, Valid           bool
}

// Info describes a sandbox. StartedAt is the time of its machine.
type Info struct {
	Version   string
	StartedAt time.Time `json:"started_at"`
	Mode      string
	DataDir   string `json:"data_dir"`
	Limits    map[string]int64
}
