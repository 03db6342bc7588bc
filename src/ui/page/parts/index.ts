/** The parts of views. */
export { Body, Code, Headers } from './body.js';
export { BackLink, Button, CopyButton, HelpLink, IconButton } from './button.js';
export { Card, Detail, Empty, idPair, Item, Loading, Notice, Pairs, ReadFailed, useArrival } from './detail.js';
export { Dialog, FormDialog, Opener, useWork } from './dialog.js';
export { AreaField, Check, Field, Select, SelectField, submits, TextArea, TextField, TextInput } from './field.js';
export { Icon, type IconName } from './icon.js';
export { movesInList } from './keys.js';
export { Menu, MenuItem, MenuLink } from './menu.js';
export { filterOf, type Query, Records, timeColumn, useRecords } from './records.js';
export type { Column } from './rows.js';
export { Http, httpTone, State, Time, type Tone, toneOf } from './state.js';
export { type ItemProps, type ListProps, Split, Tabs, Views } from './views.js';
