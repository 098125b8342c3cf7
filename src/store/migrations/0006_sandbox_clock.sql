-- How far the sandbox's clock stands before the machine's. One row; every process reads it, so that
-- all of them and every statement agree on the time.

create table sandbox_clock (
  only_row   boolean primary key default true check (only_row),
  offset_ms  bigint not null check (offset_ms >= 0)
);
insert into sandbox_clock (offset_ms) values (0);
