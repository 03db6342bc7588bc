/** Forms that calls, scenarios and records share. */

/** A BCP 47 language tag, with a hyphen or an underscore. */
export const languageForm =
  /^([A-Za-z]{2,3}([-_][A-Za-z]{3}){0,3}|[A-Za-z]{4,8})([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|\d{3}))?([-_]([A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*([-_][0-9A-WYZa-wyz]([-_][A-Za-z0-9]{2,8})+)*([-_][Xx]([-_][A-Za-z0-9]{1,8})+)?$|^[XxIi]([-_][A-Za-z0-9]{1,8})+$/;
export const templateNameForm = /^[a-z][a-z0-9_]{0,511}$/;
