import { TextField } from '../../parts/index.js';

export function Variables({ values, onChange }: { values: readonly string[]; onChange: (next: string[]) => void }) {
  if (values.length === 0) return null;
  return (
    <div class="variables">
      {values.map((value, at) => (
        <TextField
          key={at}
          label={`{{${at + 1}}}`}
          dir="auto"
          value={value}
          onText={(text) => onChange(values.with(at, text))}
        />
      ))}
    </div>
  );
}
