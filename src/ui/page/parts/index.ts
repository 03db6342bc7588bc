/** What views are made of. */
export { Body, Headers } from './body.js';
export { BackLink, Button, CopyButton, HelpLink, IconButton } from './button.js';
export { Card, Detail, Empty, idPair, Item, linkPair, Loading, More, Notice, Pairs } from './detail.js';
export { Dialog, FormDialog, Notices, Opener, ServiceDialog } from './dialog.js';
export { AreaField, Check, Field, PhoneField, Select, SelectField, submits } from './field.js';
export { TextArea, TextField, TextInput } from './field.js';
export { Icon, type IconName } from './icon.js';
export { lazy } from './lazy.js';
export { Menu, MenuItem, MenuLink } from './menu.js';
export { filterOf, type Query, Records, useRecords } from './records.js';
export { Http, httpTone, State, Ticks, Time, type Tone, toneOf } from './state.js';
export { type Column, timeColumn } from './table.js';
export { type ItemProps, type ListProps, Split, Tabs, useArrival, Views } from './views.js';
