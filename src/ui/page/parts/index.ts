/** What views are made of. */
export { Body, Headers, parsed } from './body.js';
export { BackLink, Button, CopyButton, HelpLink, IconButton } from './button.js';
export { Answer, Card, Copied, Detail, Empty, Loading, More, Notice, Pairs, Time, Why } from './detail.js';
export { Dialog, FormDialog } from './dialog.js';
export { Check, Field, PhoneField, SearchBox, Select, submits, TextArea, TextInput } from './field.js';
export { Icon, type IconName } from './icon.js';
export { lazy } from './lazy.js';
export { Menu, MenuItem, MenuLink } from './menu.js';
export { Chips, Split, Tabs, useArrival } from './split.js';
export { Http, httpTone, State, Ticks, type Tone, toneOf } from './state.js';
export { type Column, makeOneStop, RowLink, Table } from './table.js';
export { Notices } from './toast-list.js';
