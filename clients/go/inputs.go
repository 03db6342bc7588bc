package sandbox

// Filter selects entries of a list by the fields that they show; empty fields do not filter. Each list takes the fields of
// its entries. Limit, Order, After and Before say which part of the list.
type Filter struct {
	ID             string `json:"id,omitempty"`
	Type           string `json:"type,omitempty"`
	Status         string `json:"status,omitempty"`
	State          string `json:"state,omitempty"`
	Error          string `json:"error,omitempty"`
	Direction      string `json:"direction,omitempty"`
	To             string `json:"to,omitempty"`
	From           string `json:"from,omitempty"`
	Text           string `json:"text,omitempty"`
	MediaURL       string `json:"media_url,omitempty"`
	MessageID      string `json:"message_id,omitempty"`
	Wamid          string `json:"wamid,omitempty"`
	BatchID        string `json:"batch_id,omitempty"`
	OTPID          string `json:"otp_id,omitempty"`
	Code           string `json:"code,omitempty"`
	Template       string `json:"template,omitempty"`
	TemplateID     string `json:"template_id,omitempty"`
	Name           string `json:"name,omitempty"`
	Language       string `json:"language,omitempty"`
	Category       string `json:"category,omitempty"`
	ProfileName    string `json:"profile_name,omitempty"`
	Event          string `json:"event,omitempty"`
	EventType      string `json:"event_type,omitempty"`
	WebhookID      string `json:"webhook_id,omitempty"`
	URL            string `json:"url,omitempty"`
	Alias          string `json:"alias,omitempty"`
	Events         string `json:"events,omitempty"`
	Operation      string `json:"operation,omitempty"`
	Method         string `json:"method,omitempty"`
	Path           string `json:"path,omitempty"`
	Fault          string `json:"fault,omitempty"`
	By             string `json:"by,omitempty"`
	Rule           string `json:"rule,omitempty"`
	When           string `json:"when,omitempty"`
	Answered       string `json:"answered,omitempty"`
	SignatureValid *bool  `json:"signature_valid,omitempty"`
	Search         string `json:"search,omitempty"`
	DataType       string `json:"data.type,omitempty"`
	DataStatus     string `json:"data.status,omitempty"`
	After          int64  `json:"after,omitempty"`
	Before         int64  `json:"before,omitempty"`
	Limit          int    `json:"limit,omitempty"`
	Order          string `json:"order,omitempty"`
}

// RuleInput is a rule of the scenario language.
type RuleInput struct {
	ID     string      `json:"id,omitempty"`
	When   string      `json:"when"`
	Match  *RuleMatch  `json:"match,omitempty"`
	Pick   *RulePick   `json:"pick,omitempty"`
	Per    string      `json:"per,omitempty"`
	Active *RuleActive `json:"active,omitempty"`
	Then   RuleSlots   `json:"then"`
}

// RuleMatch has a value, several values or conditions for each field.
type RuleMatch struct {
	Phone    any        `json:"phone,omitempty"`
	Type     any        `json:"type,omitempty"`
	Template any        `json:"template,omitempty"`
	Language any        `json:"language,omitempty"`
	Category any        `json:"category,omitempty"`
	Text     any        `json:"text,omitempty"`
	Name     any        `json:"name,omitempty"`
	Body     any        `json:"body,omitempty"`
	URL      any        `json:"url,omitempty"`
	Events   any        `json:"events,omitempty"`
	Event    any        `json:"event,omitempty"`
	Status   any        `json:"status,omitempty"`
	Alias    any        `json:"alias,omitempty"`
	Attempts any        `json:"attempts,omitempty"`
	Method   any        `json:"method,omitempty"`
	Not      *RuleMatch `json:"not,omitempty"`
}

// RulePick says how often a rule applies: Calls is "2", "2..5" or "4..".
type RulePick struct {
	Calls  string `json:"calls,omitempty"`
	Every  int    `json:"every,omitempty"`
	Chance string `json:"chance,omitempty"`
	Share  string `json:"share,omitempty"`
}

type RuleActive struct {
	After  string `json:"after,omitempty"`
	Before string `json:"before,omitempty"`
}

// RuleSlots is what a rule does.
type RuleSlots struct {
	Respond   *RuleRespond `json:"respond,omitempty"`
	Refuse    *RuleRefusal `json:"refuse,omitempty"`
	Limit     string       `json:"limit,omitempty"`
	Lifecycle any          `json:"lifecycle,omitempty"`
	Review    *RuleReview  `json:"review,omitempty"`
	OTP       *RuleOTP     `json:"otp,omitempty"`
	Webhook   *RuleWebhook `json:"webhook,omitempty"`
	Inbound   *RuleInbound `json:"inbound,omitempty"`
	Window    string       `json:"window,omitempty"`
}

type RuleRespond struct {
	Status      int               `json:"status,omitempty"`
	Code        string            `json:"code,omitempty"`
	Message     string            `json:"message,omitempty"`
	Body        any               `json:"body,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	RetryAfter  string            `json:"retry_after,omitempty"`
	LatencyReal string            `json:"latency_real,omitempty"`
	FaultReal   string            `json:"fault_real,omitempty"`
	Results     string            `json:"results,omitempty"`
	Accept      *bool             `json:"accept,omitempty"`
}

type RuleRefusal struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

type RuleReview struct {
	Status  string `json:"status"`
	After   string `json:"after,omitempty"`
	Because string `json:"because,omitempty"`
}

type RuleOTP struct {
	Code     string `json:"code,omitempty"`
	Attempts int    `json:"attempts,omitempty"`
	Expires  string `json:"expires,omitempty"`
}

type RuleInbound struct {
	After  string `json:"after,omitempty"`
	Text   string `json:"text,omitempty"`
	Button int    `json:"button,omitempty"`
}

// RuleWebhook has the faults of a delivery.
type RuleWebhook struct {
	Duplicate int    `json:"duplicate,omitempty"`
	Delay     string `json:"delay,omitempty"`
	Drop      bool   `json:"drop,omitempty"`
	HoldUntil Object `json:"hold_until,omitempty"`
	Signature string `json:"signature,omitempty"`
	Body      string `json:"body,omitempty"`
	Receiver  Object `json:"receiver,omitempty"`
}
