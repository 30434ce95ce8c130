-- Splits the tables of an empty, migrated database into 8 partitions by client (docs/operations.md). All or nothing.
-- The parts of a constraint are called as the whole with a number behind it: that is how the adapter knows them.
do $$
declare
  parts constant int := 8;
  tables constant text[] := array['subscriptions', 'usage', 'api_keys', 'verifications', 'verification_events',
    'verification_counts', 'webhook_endpoints', 'webhook_deliveries', 'webhook_attempts', 'client_retention',
    'export_requests', 'hand_over_codes', 'readings', 'index_keys', 'indexed_verifications',
    'index_entries'];
  one text;
  part text;
  found record;
  wholes text[] := '{}';
  links text[] := '{}';
  triggers text[] := '{}';
begin
  if exists (select from clients) then
    raise exception 'this database has clients already: partition an empty one and copy them into it';
  end if;

  foreach one in array tables loop
    for found in select conname, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = one::regclass and contype = 'f' loop
      links := links || format('alter table %I add constraint %I %s', one, found.conname, found.definition);
    end loop;
    for found in select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = one::regclass and not tgisinternal order by tgname loop
      triggers := triggers || found.definition;
    end loop;
  end loop;

  foreach one in array tables loop
    execute format('create table whole (like %I including defaults including constraints) partition by hash (client_id)', one);
    for number in 0 .. parts - 1 loop
      part := format('%s_%s', one, number);
      execute format('create table %I (like %I including defaults including constraints)', part, one);
      for found in select conname, pg_get_constraintdef(oid) as definition from pg_constraint
        where conrelid = one::regclass and contype = 'p' loop
        execute format('alter table %I add constraint %I %s', part, found.conname || '_' || number, found.definition);
      end loop;
      for found in select relname, pg_get_indexdef(indexrelid) as definition
        from pg_index join pg_class on pg_class.oid = indexrelid
        where indrelid = one::regclass and not indisprimary loop
        execute replace(replace(found.definition, 'INDEX ' || found.relname || ' ', 'INDEX ' || found.relname || '_' || number || ' '),
          '.' || one || ' ', '.' || part || ' ');
      end loop;
      execute format('alter table whole attach partition %I for values with (modulus %s, remainder %s)', part, parts, number);
    end loop;
    wholes := '{}';
    for found in select format('alter table %I add constraint %I %s', one, conname, pg_get_constraintdef(oid)) as definition
      from pg_constraint where conrelid = one::regclass and contype = 'p' loop
      wholes := wholes || found.definition;
    end loop;
    for found in select pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = one::regclass and not indisprimary loop
      wholes := wholes || found.definition;
    end loop;
    execute format('drop table %I cascade', one);
    execute format('alter table whole rename to %I', one);
    foreach part in array wholes loop
      execute part;
    end loop;
  end loop;

  foreach part in array links || triggers loop
    execute part;
  end loop;
end
$$;
